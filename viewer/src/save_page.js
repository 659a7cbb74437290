// The page as a file with the run that it shows: a report that simulates. It is put together of what it came with, the model as it
// is now, and the run.

const piece = 0x8000; // [bytes] that become text at once

function encodeBase64(bytes) {
  if (bytes.toBase64) return bytes.toBase64();
  let text = "";
  for (let i = 0; i < bytes.length; i += piece) text += String.fromCharCode(...bytes.subarray(i, i + piece));
  return btoa(text);
}

/** base64 of gzip, as unpack.js reads it. */
async function pack(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return encodeBase64(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** JSON for an element of a page, which "<" could end. */
function jsonText(value) {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** model: what the page came with, with settings and source as they are; run: a Run. */
export async function pageText(model, run) {
  const { description, numbers } = run;
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const texts = { "carom-run": jsonText(description), "carom-data": await pack(bytes), "carom-model": jsonText(model) };
  const parts = [...document.body.children].filter(({ tagName }) => ["SCRIPT", "NOSCRIPT"].includes(tagName)).map((node) => {
    if (texts[node.id] === undefined) return node.outerHTML;
    const copy = node.cloneNode(false);
    copy.textContent = texts[node.id];
    return copy.outerHTML;
  });
  return `<!doctype html>\n<html lang="en" data-theme="light">\n${document.head.outerHTML}\n<body>\n${globalThis.caromFrame}\n${parts.join("\n")}\n</body>\n</html>\n`;
}

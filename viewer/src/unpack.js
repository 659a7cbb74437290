// What pages hold: gzip, in base64 or, where it is much, in more letters.

/** The bytes behind a text. */
export async function unpack(text, decode = decodeBase64) {
  const packed = new Blob([decode(text.trim())]).stream();
  return new Response(packed.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export function decodeBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Downloads: files made in the page.
import { element } from "./dom.js";

/** Offers a blob under a file name. */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: fileName(name) });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** A name that every file system takes. */
export function fileName(name) {
  return name.replace(/[^\w.-]+/g, "_").slice(0, 80);
}

/** Rows of text, quoted where needed (RFC 4180); numbers with all their digits. */
export function csvText(headers, columns) {
  const quote = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [headers.map(quote).join(",")];
  for (let i = 0; i < columns[0].length; i++) lines.push(columns.map((column) => csvNumber(column[i])).join(","));
  return lines.join("\r\n") + "\r\n";
}

function csvNumber(x) {
  return x === null || Number.isNaN(x) ? "" : Object.is(x, -0) ? "-0" : String(x).replace("Infinity", "inf");
}

/** A data URL as a blob. */
export function blobOf(dataUrl) {
  const [head, body] = dataUrl.split(",");
  const bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: head.slice(5, head.indexOf(";")) });
}

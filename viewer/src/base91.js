// 13 bits in two of 91 letters, the lowest first, and up to 6 that are left over in one: 8 % shorter than base64. Play pages
// hold the simulator and their script so.

// All that is printed in ASCII, but for what may mean something in a page.
export const letters = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((letter) => !"<&@".includes(letter)).join("");

/** The bytes behind a text. */
export function decodeBase91(text) {
  const codes = new TextEncoder().encode(text), pairs = codes.length >> 1, isOdd = codes.length % 2 === 1;
  const low = new Uint16Array(128), high = new Uint16Array(128);
  for (let i = 0; i < letters.length; i++) {
    low[letters.charCodeAt(i)] = i;
    high[letters.charCodeAt(i)] = letters.length * i;
  }
  const bytes = new Uint8Array((13 * pairs + (isOdd ? 6 : 0)) >> 3);
  let bits = 0, count = 0, size = 0;
  for (let i = 0; i < 2 * pairs; i += 2) {
    bits |= (low[codes[i]] + high[codes[i + 1]]) << count;
    bytes[size++] = bits;
    bits >>>= 8;
    count += 5;
    if (count < 8) continue;
    bytes[size++] = bits;
    bits >>>= 8;
    count -= 8;
  }
  if (size < bytes.length) bytes[size] = bits | (isOdd ? low[codes[2 * pairs]] << count : 0);
  return bytes;
}

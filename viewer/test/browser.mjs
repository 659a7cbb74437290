// A headless Chromium and helpers to look at a page in it.
import { chromium } from "playwright-core";
import { existsSync } from "node:fs";
import { inflateSync } from "node:zlib";

const places = [process.env.CAROM_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable", "/snap/bin/chromium"];

/** Path of the browser, or undefined. */
export function findChromium() {
  return places.find((place) => place && existsSync(place));
}

/** Without a graphics card, with 3D, and silent towards the network. */
const options = [
  "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

export function launch(more = []) {
  return chromium.launch({ executablePath: findChromium(), args: [...options, ...more] });
}

/**
 * Opens a file; collects console errors, failed requests and uncaught errors in `page.faults`. Shadows are off where nothing
 * else is asked for: they take half of the time that drawing takes without a graphics card.
 */
export async function openPage(browser, path, { hash = "#shadows=0", ...settings } = {}) {
  const page = await browser.newPage({ viewport: { width: 840, height: 520 }, acceptDownloads: true, ...settings });
  page.faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver Message/.test(message.text())) page.faults.push(message.text());
  });
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) page.faults.push(`request of ${request.url()}`);
  });
  await page.goto(`file://${path}${hash}`);
  await page.waitForSelector("html[data-ready]", { timeout: 60000, state: "attached" });
  return page;
}

/** Pixels of a PNG without interlace, 8 bits RGB or RGBA, as browsers write them: { width, height, at(x, y) → [r, g, b] }. */
export function decodePng(buffer) {
  const width = buffer.readUInt32BE(16), height = buffer.readUInt32BE(20);
  const channels = buffer[25] === 6 ? 4 : 3, stride = width * channels;
  const chunks = [];
  for (let at = 8; at < buffer.length;) {
    const length = buffer.readUInt32BE(at), kind = buffer.toString("latin1", at + 4, at + 8);
    if (kind === "IDAT") chunks.push(buffer.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const rows = unfilter(inflateSync(Buffer.concat(chunks)), height, stride, channels);
  return { width, height, at: (x, y) => [...rows.subarray(y * stride + x * channels, y * stride + x * channels + 3)] };
}

/** Undoes the filters of PNG rows: none, sub, up, average, Paeth. */
function unfilter(data, height, stride, channels) {
  const out = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y++) {
    const kind = data[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const a = x >= channels ? out[y * stride + x - channels] : 0, b = y > 0 ? out[(y - 1) * stride + x] : 0;
      const c = x >= channels && y > 0 ? out[(y - 1) * stride + x - channels] : 0;
      const guess = [0, a, b, (a + b) >> 1, paeth(a, b, c)][kind];
      out[y * stride + x] = data[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return out;
}

function paeth(a, b, c) {
  const p = a + b - c, da = Math.abs(p - a), db = Math.abs(p - b), dc = Math.abs(p - c);
  return da <= db && da <= dc ? a : db <= dc ? b : c;
}

/** A picture from a data URL. */
export function decodeDataUrl(url) {
  return decodePng(Buffer.from(url.split(",")[1], "base64"));
}

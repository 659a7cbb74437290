// Runs the tests of the page in headless Chromium.
//
// usage: node viewer/test/run.mjs [PART OF A NAME...]      SCREENSHOTS=DIR: also takes pictures of the page
//
// CAROM_TOOL names the tool carom, for the tests with the examples. CAROM_NO_BROWSER=1 skips all, with status 77. A missing
// browser or missing packages are a failure.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

if (process.env.CAROM_NO_BROWSER === "1") {
  console.log("SKIPPED: the tests of the report page, since CAROM_NO_BROWSER=1");
  process.exit(77);
}
const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (!existsSync(join(root, "node_modules", "playwright-core"))) {
  console.error("the packages of viewer/ are missing: run npm ci --prefix viewer, or set CAROM_NO_BROWSER=1 to skip these tests");
  process.exit(1);
}
const { findChromium, launch, openPage } = await import("./browser.mjs");
if (!findChromium()) {
  console.error("no Chromium here: run scripts/setup.sh viewer, name it in CAROM_CHROMIUM, or set CAROM_NO_BROWSER=1 to skip these tests");
  process.exit(1);
}
const { tests: pageTests } = await import("./test_page.mjs");
const { tests: viewTests } = await import("./test_views.mjs");
const { tests: liveTests } = await import("./test_live.mjs");
const { tests: exampleTests } = await import("./test_examples.mjs");
const { takePictures } = await import("./pictures.mjs");

const folder = mkdtempSync(join(tmpdir(), "carom-viewer-"));
const wanted = process.argv.slice(2);
const selected = Object.entries({ ...pageTests, ...viewTests, ...liveTests, ...exampleTests }).filter(([name]) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const browser = await launch();
const failed = [];
const timeLimit = 120000; // [ms] of a test
const longLimit = 600000; // [ms] of one that looks at all examples

/** Writes a page into the folder and opens it in a window of its own, closed after the test. */
function opener(browserOf, pages) {
  return async (name, html, settings) => {
    const path = join(folder, `${name}.html`);
    writeFileSync(path, html);
    const page = await openPage(await browserOf(), path, settings);
    pages.push(page);
    return page;
  };
}

/** Fails where a promise takes longer than so many milliseconds. */
function within(limit, promise) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`not done after ${limit} ms`)), limit); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

let blind = null; // a browser without WebGL
for (const [name, test] of selected) {
  const pages = [], begin = Date.now();
  const openWithout3d = opener(async () => (blind ??= await launch(["--disable-3d-apis"])), pages);
  try {
    await within(name in exampleTests ? longLimit : timeLimit, test({ open: opener(() => browser, pages), openWithout3d, browser }));
    console.log(`ok      ${name} (${Date.now() - begin} ms)`);
  } catch (error) {
    failed.push(name);
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
  await Promise.all(pages.map((page) => page.context().close().catch(() => {}))); // a test may have closed it
}
if (process.env.SCREENSHOTS) {
  mkdirSync(process.env.SCREENSHOTS, { recursive: true });
  await takePictures(opener(() => browser, []), process.env.SCREENSHOTS);
}
await browser.close();
await blind?.close();
rmSync(folder, { recursive: true });
console.log(`${selected.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length > 0 ? 1 : 0);

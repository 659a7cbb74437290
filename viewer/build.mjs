// Bundles src/ into dist/report.html: one page with its style and its script inside, and places for the data of a run; and
// into dist/play.html, the page that simulates, with places for a model and the simulator.
//
// usage: node build.mjs            write both
//        node build.mjs --check    build, and compare with the committed bytes
//
// The pages allow exactly their scripts and one style sheet, by their hashes, and nothing else: no network, no eval. A play
// page holds its script packed; a small one unpacks it. Its worker comes from the page too, and compiles the simulator.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { letters } from "./src/base91.js";

const here = dirname(fileURLToPath(import.meta.url));
const maxSizes = { "report.html": 800_000, "play.html": 450_000 }; // [byte] of the pages without data

/** The bundle of one entry point, as text. */
async function bundle(entry, options) {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    legalComments: "none", // the licences are named in the page and kept in LICENSES.txt
    charset: "ascii",
    absWorkingDir: here,
    logLevel: "warning",
    ...options,
  });
  return result.outputFiles[0].text.trim();
}

/** What a content security policy calls this text. */
function hashSource(text) {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}

/** The policy: what is not named is forbidden. */
function policy(scripts, style, more = []) {
  return [
    "default-src 'none'",
    `script-src ${[...scripts.map(hashSource), ...more.filter((word) => word.startsWith("'"))].join(" ")}`,
    ...more.filter((word) => !word.startsWith("'")),
    `style-src ${hashSource(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** Puts texts in the places @NAME@ of a page; each place must be there once. */
function fill(page, texts) {
  for (const [name, text] of Object.entries(texts)) {
    const parts = page.split(name);
    if (parts.length !== 2) throw new Error(`the page has ${parts.length - 1} places ${name}, not 1`);
    page = parts.join(text);
  }
  return page;
}

/** Refuses what an HTML parser or the writer of pages would misread. */
function inspect(name, page, scripts, style, marks) {
  for (const bad of ["</script", "<!--", "@CAROM_"]) {
    if (scripts.some((script) => script.includes(bad))) throw new Error(`a script of ${name} contains ${bad}`);
  }
  if (/<\/style|@import|url\(/i.test(style)) throw new Error("the style sheet refers to something outside");
  for (const mark of marks) {
    if (page.split(mark).length !== 2) throw new Error(`${mark} must be in ${name} once`);
  }
  const size = Buffer.byteLength(page);
  if (size > maxSizes[name]) throw new Error(`${name} has ${size} bytes, more than ${maxSizes[name]}`);
}

function template(name) {
  return readFileSync(join(here, "src", name), "utf8");
}

/** As src/base91.js reads it, and src/show/report_data.c writes it. */
function encodeBase91(bytes) {
  let text = "", bits = 0, count = 0;
  for (const byte of bytes) {
    bits |= byte << count;
    count += 8;
    if (count < 13) continue;
    text += letters[(bits & 8191) % 91] + letters[Math.floor((bits & 8191) / 91)];
    bits >>>= 13;
    count -= 13;
  }
  if (count > 0) text += letters[bits % 91];
  if (count > 6) text += letters[Math.floor(bits / 91)];
  return text;
}

/** Of gzip; the byte that names the system is that of no system, as on all machines. */
function pack(text) {
  const bytes = gzipSync(text, { level: 9 });
  bytes[9] = 255;
  return encodeBase91(bytes);
}

async function buildReport() {
  const script = await bundle("main.js", { format: "iife", target: ["es2022"] });
  const style = await bundle("style.css", { loader: { ".css": "css" } });
  const page = fill(template("page.html"), { "@POLICY@": policy([script], style), "@STYLE@": style, "@SCRIPT@": script });
  inspect("report.html", page, [script], style, ["@CAROM_RUN@", "@CAROM_DATA@"]);
  return page;
}

async function buildPlay() {
  const script = await bundle("play.js", { format: "iife", target: ["es2022"] });
  const worker = await bundle("worker.js", { format: "iife", target: ["es2022"] });
  const boot = await bundle("boot.js", { format: "iife", target: ["es2022"] });
  const style = await bundle("play.css", { loader: { ".css": "css" } });
  const page = fill(template("play.html"), {
    "@POLICY@": policy([boot, script], style, ["'wasm-unsafe-eval'", "worker-src blob:"]),
    "@STYLE@": style, "@PACKED@": pack(script), "@WORKER@": worker, "@BOOT@": boot,
  });
  inspect("play.html", page, [worker, boot], style, ["@CAROM_RUN@", "@CAROM_DATA@", "@CAROM_MODEL@", "@CAROM_MODULE@", "@CAROM_LICENSES@"]);
  return page;
}

for (const [name, page] of [["report.html", await buildReport()], ["play.html", await buildPlay()]]) {
  const target = join(here, "dist", name);
  if (!process.argv.includes("--check")) {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, page);
    console.log(`dist/${name}: ${Buffer.byteLength(page)} bytes`);
  } else if (readFileSync(target, "utf8") === page) {
    console.log(`dist/${name} is up to date, ${Buffer.byteLength(page)} bytes`);
  } else {
    console.error(`dist/${name} is not what src/ gives: run node build.mjs and commit it`);
    process.exitCode = 1;
  }
}

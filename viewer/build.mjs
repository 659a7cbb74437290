// Bundles src/ into dist/report.html: one page with its style and its script inside, and places for the data of a run.
//
// usage: node build.mjs            write dist/report.html
//        node build.mjs --check    build, and compare with the committed bytes
//
// The page allows exactly one script and one style sheet, by their hashes, and nothing else: no network, no eval.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "dist", "report.html");
const maxSize = 800_000; // [byte] of the page without data

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
function policy(script, style) {
  return [
    "default-src 'none'",
    `script-src ${hashSource(script)}`,
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
    if (parts.length !== 2) throw new Error(`page.html has ${parts.length - 1} places ${name}, not 1`);
    page = parts.join(text);
  }
  return page;
}

/** Refuses what an HTML parser or the writer of reports would misread. */
function inspect(page, script, style) {
  for (const bad of ["</script", "<!--", "@CAROM_"]) {
    if (script.includes(bad)) throw new Error(`the script contains ${bad}`);
  }
  if (/<\/style|@import|url\(/i.test(style)) throw new Error("the style sheet refers to something outside");
  for (const name of ["@CAROM_RUN@", "@CAROM_DATA@"]) {
    if (page.split(name).length !== 2) throw new Error(`${name} must be in the page once`);
  }
  const size = Buffer.byteLength(page);
  if (size > maxSize) throw new Error(`the page has ${size} bytes, more than ${maxSize}`);
}

const script = await bundle("main.js", { format: "iife", target: ["es2022"] });
const style = await bundle("style.css", { loader: { ".css": "css" } });
const page = fill(readFileSync(join(here, "src", "page.html"), "utf8"), {
  "@POLICY@": policy(script, style),
  "@STYLE@": style,
  "@SCRIPT@": script,
});
inspect(page, script, style);

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== page) {
    console.error("dist/report.html is not what src/ gives: run node build.mjs and commit it");
    process.exit(1);
  }
  console.log(`dist/report.html is up to date, ${Buffer.byteLength(page)} bytes`);
} else {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, page);
  console.log(`dist/report.html: ${Buffer.byteLength(page)} bytes`);
}

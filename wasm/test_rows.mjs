// Runs models by the tool and by the module, in Node, and compares all rows bit by bit.
//
// usage: node wasm/test_rows.mjs TOOL [MODEL.lua ...]      without models: all examples
//
// The module is unpacked from wasm/carom.wasm.gz. The rows of the tool are read as CSV, whose numbers are the shortest that
// read back as the same bits. Prints a line for each model, with a hash of all its rows.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { Module } from "../viewer/src/module.js";

const here = dirname(fileURLToPath(import.meta.url));
const examples = join(here, "..", "examples");
const [tool, ...given] = process.argv.slice(2);
const models = given.length > 0 ? given : readdirSync(examples).filter((name) => name.endsWith(".lua")).map((name) => join(examples, name));
const module = await WebAssembly.compile(gunzipSync(readFileSync(join(here, "carom.wasm.gz"))));
const folder = mkdtempSync(join(tmpdir(), "carom-wasm-"));

/** All files of a folder and below. */
function listFiles(place) {
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const path = join(place, entry.name);
    return entry.isDirectory() ? listFiles(path) : statSync(path).size < 5e6 ? [path] : [];
  });
}

function runByTool(model) {
  const target = join(folder, basename(model));
  execFileSync(tool, ["run", model, "--quiet", "--no-report", "--out", target], { stdio: "pipe" });
  execFileSync(tool, ["convert", join(target, "result.h5"), `${target}.csv`], { stdio: "pipe" });
  const text = readFileSync(`${target}.csv`, "utf8").trimEnd();
  rmSync(target, { recursive: true });
  rmSync(`${target}.csv`);
  return text.split(/\r?\n/).slice(1).map((line) => line.split(",").map(readNumber));
}

function readNumber(text) {
  return text === "" ? NaN : text === "inf" ? Infinity : text === "-inf" ? -Infinity : Number(text);
}

async function runByModule(model) {
  const carom = await Module.open(module), place = dirname(resolve(model));
  for (const file of listFiles(place)) carom.setFile(`/model/${relative(place, file)}`, readFileSync(file));
  const facts = carom.open(`/model/${basename(model)}`);
  const end = facts.ok ? carom.run() : "none";
  if (end !== "complete") throw new Error(`${end}: ${carom.messages().map(({ text }) => text).join("\n")}`);
  return Array.from({ length: carom.columnCount + 1 }, (_, i) => carom.column(i - 1));
}

/** Tells where rows differ; null: nowhere. */
function compare(rows, columns) {
  if (rows.length !== columns[0].length) return `${rows.length} and ${columns[0].length} rows`;
  if (rows[0].length !== columns.length) return `${rows[0].length} and ${columns.length} columns`;
  for (let i = 0; i < rows.length; i++) {
    const k = rows[i].findIndex((x, column) => !Object.is(x, columns[column][i]));
    if (k >= 0) return `row ${i} of ${rows.length}, column ${k}: ${rows[i][k]} and ${columns[k][i]}`;
  }
  return null;
}

let failed = 0;
for (const model of models) {
  try {
    const columns = await runByModule(model), difference = compare(runByTool(model), columns);
    const hash = createHash("sha256");
    for (const column of columns) hash.update(new Uint8Array(column.buffer));
    console.log(difference === null ? `same    ${basename(model)}: ${columns.length} columns, ${columns[0].length} rows, ${hash.digest("hex").slice(0, 16)}` : `DIFFERS ${basename(model)}: ${difference}`);
    failed += difference !== null;
  } catch (error) {
    failed++;
    console.log(`FAILED  ${basename(model)}: ${error.message.slice(0, 400)}`);
  }
}
rmSync(folder, { recursive: true });
console.log(failed === 0 ? `${models.length} models, all rows the same` : `${failed} of ${models.length} models differ`);
process.exit(failed === 0 ? 0 : 1);

// The reports of the examples, made by the tool named in CAROM_TOOL: nothing is cut off or blank, and the picture agrees with
// the signals, which take another way through the file.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeDataUrl } from "./browser.mjs";

const examples = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "examples");
const stop = 1; // [s] is enough to look at
const edge = 1.02; // in units of half a picture
const positionTol = 1e-5; // [m] of float32 numbers of some metres

/** Simulates an example; the text of its report, or null where the tool cannot. */
function makeReport(model, folder) {
  try {
    execFileSync(process.env.CAROM_TOOL, ["run", model, "--quiet", "--stop", String(stop), "--out", join(folder, "run")], { stdio: "ignore", timeout: 120000 });
  } catch {
    console.log(`      ${basename(model)}: cannot be simulated by this tool`);
  }
  const report = join(folder, "run", "report.html");
  return existsSync(report) ? readFileSync(report, "utf8") : null;
}

/** Moving objects that are not wholly inside the picture, and still ones of which nothing is: these may be wide. */
function cutOff(page, time) {
  return page.evaluate(([t, limit]) => {
    carom.setTime(t);
    const moving = new Set(carom.moving);
    const boxes = carom.objects.map((path) => [path, carom.visibleIn(path)]).filter(([, box]) => box);
    const isInside = (box) => Math.max(-box.left, box.right, -box.bottom, box.top) <= limit;
    const isOutside = (box) => box.left > 1 || box.right < -1 || box.bottom > 1 || box.top < -1;
    const isCut = ([path, box]) => (moving.has(path) ? !isInside(box) : isOutside(box));
    return { count: boxes.length, outside: boxes.filter(isCut).map(([path]) => path) };
  }, [time, edge]);
}

/** Largest distance between objects as shown and their recorded positions. */
function largestMiss(page) {
  return page.evaluate(() => {
    const names = new Set(carom.signals);
    const misses = carom.objects.filter((path) => ["x", "y", "z"].every((axis) => names.has(`${path}.position.${axis}`))).map((path) => {
      const pose = carom.poseOf(path);
      return Math.hypot(...["x", "y", "z"].map((axis, i) => carom.valueOf(`${path}.position.${axis}`) - pose[i]));
    });
    return Math.max(0, ...misses);
  });
}

/** Largest difference of the length of cables as drawn and as recorded. */
function largestCableMiss(page) {
  return page.evaluate(() => {
    carom.renderFrame(16, 10);
    return Math.max(0, ...carom.cables.map((path) => Math.abs(carom.lengthOf(path) - carom.valueOf(`${path}.length`))));
  });
}

/** Number of clearly different colours in a picture. */
function countColors(picture) {
  const colors = new Set();
  for (let y = 0; y < picture.height; y += 2) {
    for (let x = 0; x < picture.width; x += 2) colors.add(picture.at(x, y).map((value) => value >> 4).join());
  }
  return colors.size;
}

async function checkExample(name, html, open) {
  const page = await open(`example_${name}`, html);
  assert.deepEqual(page.faults, [], name);
  const [start, end] = await page.evaluate(() => [carom.start, carom.stop]);
  const isFramed = await page.evaluate(() => carom.cameras.length === 0); // else the model says where to look
  const first = await cutOff(page, start);
  assert.ok(first.outside.length <= (isFramed ? 0 : first.count / 2), `${name}: cut off at the start: ${first.outside}`);
  for (const time of isFramed ? [(start + end) / 2, end] : []) {
    const later = await cutOff(page, time);
    assert.ok(later.outside.length <= later.count / 2, `${name}: cut off at ${time} s: ${later.outside}`);
  }
  for (const share of [0, 0.5, 1]) {
    await page.evaluate((t) => carom.setTime(t), start + share * (end - start));
    await page.keyboard.press("ArrowLeft"); // to an output point: between them, curves are straight and motion is not
    assert.ok((await largestMiss(page)) < positionTol, `${name}: shown and recorded positions differ`);
    assert.ok((await largestCableMiss(page)) < 10 * positionTol, `${name}: cables are not as long as recorded`);
  }
  if (first.count > 0) {
    const colors = countColors(decodeDataUrl(await page.evaluate(() => carom.renderFrame(160, 100))));
    assert.ok(colors >= 8, `${name}: a picture with ${colors} colours is blank`);
  }
  await page.context().close();
}

export const tests = {
  async reports_of_the_examples_show_what_was_computed({ open }) {
    if (!process.env.CAROM_TOOL) return console.log("      not run: CAROM_TOOL does not name the tool");
    let count = 0;
    for (const file of readdirSync(examples).filter((name) => name.endsWith(".lua"))) {
      const folder = mkdtempSync(join(tmpdir(), "carom-example-"));
      const html = makeReport(join(examples, file), folder);
      rmSync(folder, { recursive: true });
      if (html === null) continue;
      await checkExample(basename(file, ".lua"), html, open);
      count++;
    }
    console.log(`      ${count} examples`);
    assert.ok(count >= 10, `only ${count} examples could be looked at`);
  },
};

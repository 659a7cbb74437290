// Contact sheets: the reports of all examples in one picture each for light, dark and phone, to be looked at.
//
// usage: CAROM_TOOL=build/carom node viewer/test/sheet.mjs FOLDER [EXAMPLE...]
//
// Runs are kept in FOLDER/runs and made only once; their reports are made anew each time. FOLDER/light-1.png … have the sheets,
// FOLDER/shots the single pictures. Errors of pages are printed, and make the exit status 1.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, openPage } from "./browser.mjs";

const examples = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "examples");
const share = 0.35; // of the run that is over in the pictures
const perSheet = 12;
const kinds = [
  { name: "light", columns: 3, tile: [560, 344], settings: { viewport: { width: 1280, height: 786 } }, hash: "#theme=light" },
  { name: "dark", columns: 3, tile: [560, 344], settings: { viewport: { width: 1280, height: 786 } }, hash: "#theme=dark&page=contacts" },
  { name: "phone", columns: 6, tile: [280, 606], settings: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }, hash: "#theme=light&page=objects" },
];

const [folder, ...wanted] = process.argv.slice(2);
if (!folder || !process.env.CAROM_TOOL) {
  console.error("usage: CAROM_TOOL=build/carom node viewer/test/sheet.mjs FOLDER [EXAMPLE...]");
  process.exit(2);
}
const tool = resolve(process.env.CAROM_TOOL), target = resolve(folder);
for (const name of ["runs", "shots"]) mkdirSync(join(target, name), { recursive: true });

/** Path of a report of an example, or null where the tool cannot run it. */
function makeReport(name) {
  const run = join(target, "runs", name), report = join(run, "report.html");
  try {
    const silent = { stdio: "ignore", timeout: 300000 };
    if (!existsSync(join(run, "result.h5"))) execFileSync(tool, ["run", join(examples, `${name}.lua`), "--quiet", "--no-report", "--out", run], silent);
    execFileSync(tool, ["view", run, "-o", report], silent);
    return report;
  } catch {
    console.log(`${name}: cannot be simulated`);
    return null;
  }
}

/** Takes the pictures of a report; returns how many complaints its page had. */
async function shoot(browser, name, report) {
  let faults = 0;
  for (const kind of kinds) {
    const page = await openPage(browser, report, { ...kind.settings, hash: `${kind.hash}&fine=1` });
    await page.evaluate((part) => carom.setTime(carom.start + part * (carom.stop - carom.start)), share);
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(target, "shots", `${name}-${kind.name}.png`), timeout: 120000 });
    for (const fault of page.faults) console.log(`${name}, ${kind.name}: ${fault}`);
    faults += page.faults.length;
    await page.context().close();
  }
  return faults;
}

/** Puts pictures side by side, with their names. */
async function compose(browser, kind, names) {
  for (let first = 0; first < names.length; first += perSheet) {
    const tiles = names.slice(first, first + perSheet).map((name) => {
      const data = readFileSync(join(target, "shots", `${name}-${kind.name}.png`)).toString("base64");
      return `<figure><img src="data:image/png;base64,${data}" width="${kind.tile[0]}" height="${kind.tile[1]}"><figcaption>${name}</figcaption></figure>`;
    });
    const style = "body{margin:8px;background:#808890;font:14px sans-serif}main{display:grid;gap:8px;grid-template-columns:repeat(" + kind.columns + ",max-content)}figure{margin:0;background:#fff}figcaption{padding:2px 6px}img{display:block}";
    const page = await browser.newPage({ viewport: { width: kind.columns * (kind.tile[0] + 8) + 16, height: 600 } });
    await page.setContent(`<style>${style}</style><main>${tiles.join("")}</main>`);
    await page.screenshot({ path: join(target, `${kind.name}-${first / perSheet + 1}.png`), fullPage: true });
    await page.close();
  }
}

const names = readdirSync(examples).filter((file) => file.endsWith(".lua")).map((file) => basename(file, ".lua"))
  .filter((name) => wanted.length === 0 || wanted.includes(name));
const browser = await launch();
const shown = [];
let faults = 0;
for (const name of names) {
  const report = makeReport(name);
  if (!report) continue;
  faults += await shoot(browser, name, report);
  shown.push(name);
}
for (const kind of kinds) await compose(browser, kind, shown);
writeFileSync(join(target, "names.txt"), shown.join("\n") + "\n");
await browser.close();
console.log(`${shown.length} examples in ${target}, ${faults} complaints`);
process.exit(faults > 0 ? 1 : 0);

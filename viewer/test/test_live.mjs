// Runs that are watched: carom view --live, served on this machine and looked at in the browser.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const examples = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "examples");
const tool = process.env.CAROM_TOOL;
const patience = 90000; // [ms]

const running = new Set(); // tools that wait for Ctrl-C, which a failed test does not send
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** Starts the tool; { address, end: () => Promise of its exit code }. */
async function watch(args) {
  const child = spawn(tool, ["view", "--live", ...args], { stdio: ["ignore", "pipe", "ignore"] });
  running.add(child);
  child.on("exit", () => running.delete(child));
  const address = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (piece) => {
      text += piece;
      const found = /watch it at (\S+)/.exec(text);
      if (found) resolve(found[1]);
    });
    child.on("exit", (code) => reject(new Error(`the tool ended with ${code}: ${text}`)));
  });
  const end = () => new Promise((resolve) => {
    child.on("exit", (code) => resolve(code));
    child.kill("SIGINT");
  });
  return { address, end, child };
}

async function openAddress(browser, address) {
  const page = await browser.newPage({ viewport: { width: 840, height: 520 } });
  page.faults = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver Message/.test(message.text()) && page.faults.push(message.text()));
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("request", (request) => !request.url().startsWith(address) && !/^(data|blob):/.test(request.url()) && page.faults.push(`request of ${request.url()}`));
  await page.goto(`${address}#shadows=0`);
  await page.waitForSelector("html[data-ready]", { timeout: patience, state: "attached" });
  return page;
}

export const tests = {
  async a_run_that_goes_on_is_shown_as_its_report_will_be({ open, browser }) {
    if (!tool) return console.log("      not run: CAROM_TOOL does not name the tool");
    const folder = mkdtempSync(join(tmpdir(), "carom-live-")), model = join(examples, "billiards.lua");
    execFileSync(tool, ["run", model, "--quiet", "--out", join(folder, "run")]);
    const report = await open("live_report", readFileSync(join(folder, "run", "report.html"), "utf8"));
    rmSync(folder, { recursive: true });
    const { address, end } = await watch([model, "--quiet"]);
    const page = await openAddress(browser, address);
    await page.waitForFunction(() => carom.live === "ok", null, { timeout: patience });
    assert.match(await page.textContent("#live"), /the run is over/);
    const tell = () => {
      const states = [];
      for (const share of [0.1, 0.5, 0.9, 1]) {
        carom.setTime(carom.start + share * (carom.stop - carom.start));
        states.push(...carom.poseOf("cue"), ...carom.poseOf("ball7"), carom.valueOf("cue.position.x"), ...carom.contacts.flatMap((sample) => sample.slice(1)));
      }
      return { rows: carom.rowCount, stop: carom.stop, states, plots: carom.plots, signals: [...carom.signals].sort() };
    };
    const [expected, found] = [await report.evaluate(tell), await page.evaluate(tell)];
    assert.equal(found.rows, expected.rows);
    assert.equal(found.stop, expected.stop);
    assert.equal(found.states.length, expected.states.length);
    found.states.forEach((x, i) => assert.ok(Math.abs(x - expected.states[i]) <= 1e-6 * Math.max(1, Math.abs(x)), `number ${i}: ${x}, expected ${expected.states[i]}`));
    assert.deepEqual(found.signals, expected.signals);
    await page.click("#tab-contacts");
    await report.click("#tab-contacts");
    // begins and ends are told here as they were located, in results when the run took notice: within rounding of 2e-5 s
    const groups = (each) => each.$$eval("#contact-groups .group", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.replace("−", "-"))).sort((a, b) => (a[0] < b[0] ? -1 : 1)));
    const [mine, theirs] = [await groups(page), await groups(report)];
    assert.equal(mine.length, theirs.length);
    mine.forEach((row, i) => {
      assert.deepEqual([row[0], row[1], row[4]], [theirs[i][0], theirs[i][1], theirs[i][4]]);
      assert.ok(Math.abs(Number(row[2]) - Number(theirs[i][2])) <= 2e-5, `${row} and ${theirs[i]}`);
    });
    assert.deepEqual(page.faults, []);
    await page.close();
    assert.equal(await end(), 0);
  },

  async a_browser_that_comes_late_or_goes_away_is_no_trouble({ browser }) {
    if (!tool) return console.log("      not run: CAROM_TOOL does not name the tool");
    const { address, end } = await watch([join(examples, "marble_run.lua"), "--quiet"]);
    const first = await openAddress(browser, address);
    await first.close();
    const second = await openAddress(browser, address);
    await second.waitForFunction(() => carom.live === "ok", null, { timeout: patience });
    const rows = await second.evaluate(() => carom.rowCount);
    assert.ok(rows > 100, `${rows} rows`);
    const wrong = await second.evaluate(async (place) => (await fetch(place).catch(() => ({ status: 0 }))).status, new URL("/wrong/", address).href);
    assert.equal(wrong, 404);
    assert.equal(await end(), 0);
    await second.close();
  },
};

// Play pages, made by the tool named in CAROM_TOOL: they load fast from a disk, sliders and the source give new motions, bodies
// can be pulled, and what was done is done again by the tool with the same bits.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const examples = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "examples");
const tool = process.env.CAROM_TOOL;
const quiet = "#shadows=0";

/** Limits of time grow with the load, as other programs take their share of the processor. */
function share() {
  return Math.max(1, loadavg()[0] / cpus().length);
}

/** The text of a model's page, and its size. */
function makePage(name, source, more = []) {
  const folder = mkdtempSync(join(tmpdir(), "carom-play-")), model = join(folder, `${name}.lua`), page = join(folder, "play.html");
  writeFileSync(model, source ?? readFileSync(join(examples, `${name}.lua`)));
  execFileSync(tool, ["play", model, "-o", page, ...more], { stdio: "pipe" });
  const result = { html: readFileSync(page, "utf8"), size: statSync(page).size };
  rmSync(folder, { recursive: true });
  return result;
}

/** Waits for the next complete run, and returns how long it took from the change to the first picture of the new motion [s]. */
async function nextRun(page, change) {
  const before = await page.evaluate(() => caromPlay.runCount);
  await change();
  await page.waitForFunction((count) => caromPlay.runCount > count && !caromPlay.simulator.isBusy, before, { timeout: 60000 });
  return page.evaluate(() => caromPlay.cost.first);
}

function setSlider(page, name, value) {
  return page.evaluate(([which, to]) => {
    const slider = document.querySelector(`[data-name="${which}"] input[type=range]`);
    slider.value = to;
    slider.dispatchEvent(new Event("input"));
  }, [name, value]);
}

function setSource(page, change) {
  return page.evaluate(([from, to]) => {
    const area = caromPlay.editor.area;
    area.value = area.value.replace(from, to);
    area.dispatchEvent(new Event("input"));
  }, change);
}

/** Value of a signal at the end of the run that is shown. */
function lastValue(page, name) {
  return page.evaluate((which) => caromPlay.run.variableOf.get(which).values.at(-1), name);
}

/** Rows of a CSV text as numbers. */
function readRows(text) {
  return text.trimEnd().split(/\r?\n/).slice(1).map((line) => line.split(",").map((word) => (word === "" ? NaN : Number(word))));
}

async function saved(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return readFileSync(await file.path(), "utf8");
}

function runByTool(name, more = []) {
  const folder = mkdtempSync(join(tmpdir(), "carom-play-"));
  execFileSync(tool, ["run", join(examples, `${name}.lua`), "--quiet", "--no-report", "--out", folder, ...more], { stdio: "pipe" });
  execFileSync(tool, ["convert", join(folder, "result.h5"), join(folder, "rows.csv")], { stdio: "pipe" });
  const rows = readRows(readFileSync(join(folder, "rows.csv"), "utf8"));
  rmSync(folder, { recursive: true });
  return rows;
}

function assertSameRows(rows, others) {
  assert.equal(rows.length, others.length);
  for (let i = 0; i < rows.length; i++) {
    const k = rows[i].findIndex((x, column) => !Object.is(x, others[i][column]));
    assert.equal(k, -1, `row ${i}, column ${k}: ${rows[i][k]} and ${others[i][k]}`);
  }
}

/** Where an object is in the window [px]. */
function placeOf(page, path) {
  return page.evaluate((which) => {
    const { stage, run } = caromPlay, object = run.objectOf.get(which);
    const parts = stage.parts.partsOf.get(object), corners = parts.flatMap((part) => stage.parts.cornersOf(part, stage.motion.poses));
    const middle = [0, 1, 2].map((i) => corners.reduce((sum, corner) => sum + corner[i], 0) / corners.length);
    const seen = stage.camera.position.clone().set(...middle).project(stage.camera), box = stage.canvas.getBoundingClientRect();
    return { x: box.left + ((seen.x + 1) / 2) * box.width, y: box.top + ((1 - seen.y) / 2) * box.height };
  }, path);
}

/** A module of other sources may know other models and give other bits: then there is nothing to compare. */
function isFresh() {
  const root = join(examples, "..");
  return execFileSync(join(root, "scripts", "wasm_hash.sh"), { encoding: "utf8" }).trim() === readFileSync(join(root, "wasm", "sources.sha256"), "utf8").trim();
}

// Without a graphics card and beside other tests a page opens some times slower: limits hold on a machine of one's own.
const patience = process.env.CAROM_TIMING === "1" ? 1 : 10;

const skipped = {
  async play_pages_are_skipped() {
    console.log("      SKIPPED: play pages, since wasm/carom.wasm.gz is older than the sources (make wasm), or no CAROM_TOOL is named");
  },
};

export const tests = !tool || !isFresh() ? skipped : {
  async play_pages_load_fast_and_follow_sliders({ open }) {
    // Open is a page that can be used and shows motion: what there is of a run that goes on is animated while the rest is computed.
    // Parameter, value, and how long the first picture of a new motion may take [s]; the arm has no parameters.
    const sliders = { billiards: ["speed", 2, 0.06], marble_run: ["start", 3.4, 0.5], robot_arm: null, gripper: ["mass", 0.3, 0.5] };
    for (const [name, slider] of Object.entries(sliders)) {
      const { html, size } = makePage(name);
      if (name === "billiards") assert.ok(size <= 1.6e6, `${size} bytes`);
      const page = await open(`play_${name}`, html, { hash: quiet });
      await page.waitForFunction(() => caromPlay.runCount > 0, undefined, { timeout: 60000 });
      const opened = await page.evaluate(() => performance.getEntriesByName("carom-moving")[0].startTime / 1000);
      const whole = await page.evaluate(() => caromPlay.cost.whole);
      const before = await page.evaluate(() => JSON.stringify(caromPlay.run.bodies.map(({ poses }) => poses && Array.from(poses.slice(-7)))));
      let took = NaN;
      if (slider) {
        await nextRun(page, () => setSlider(page, slider[0], slider[1]));
        const times = [];
        for (let i = 1; i <= 4; i++) times.push(await nextRun(page, () => setSlider(page, slider[0], slider[1] * (1 + 0.03 * i))));
        took = Math.min(...times);
        const after = await page.evaluate(() => JSON.stringify(caromPlay.run.bodies.map(({ poses }) => poses && Array.from(poses.slice(-7)))));
        assert.notEqual(after, before, `${name}: the motion has not changed`);
      }
      console.log(`      ${name}: ${(size / 1e6).toFixed(2)} MB, open and moving in ${opened.toFixed(2)} s, the whole run in ${whole.toFixed(2)} s, ${slider ? `${slider[0]} gives a new motion in ${took.toFixed(3)} s` : "no parameters"}, ${share().toFixed(1)} programs per processor`);
      assert.ok(opened <= 1 * patience * share(), `${name} opened in ${opened} s`);
      if (slider) assert.ok(took <= slider[2] * patience * share(), `${name}: ${took} s`);
      assert.deepEqual(page.faults, []);
      await page.close(); // its animation would take time from the next one
    }
  },

  async the_motion_so_far_is_played_while_a_run_goes_on({ open }) {
    const page = await open("play_partial", makePage("robot_arm").html, { hash: quiet });
    await page.waitForFunction(() => performance.getEntriesByName("carom-moving").length > 0, undefined, { timeout: 60000 });
    const early = await page.evaluate(() => ({ runs: caromPlay.runCount, rows: caromPlay.run.rowCount, stop: caromPlay.clock.stop, isPlaying: caromPlay.clock.isPlaying, isGrowing: caromPlay.clock.isGrowing }));
    assert.ok(early.runs === 1 || (early.rows > 1 && early.isPlaying && early.isGrowing), JSON.stringify(early));
    await page.waitForFunction(() => caromPlay.runCount > 0, undefined, { timeout: 60000 });
    const late = await page.evaluate(() => ({ stop: caromPlay.clock.stop, isGrowing: caromPlay.clock.isGrowing, isPlaying: caromPlay.clock.isPlaying, first: caromPlay.cost.first, whole: caromPlay.cost.whole }));
    const shown = await page.evaluate(() => [caromPlay.stage.camera.position.toArray(), (caromPlay.stage.resetView(), caromPlay.stage.camera.position.toArray())]);
    shown[0].forEach((x, i) => assert.ok(Math.abs(x - shown[1][i]) < 1e-9, `the picture does not frame the whole motion: ${shown.join(" and ")}`));
    assert.ok(late.stop >= early.stop && !late.isGrowing && late.isPlaying && late.first <= late.whole, JSON.stringify(late));
    assert.deepEqual(page.faults, []);
  },

  async play_pages_have_the_rows_of_the_tool({ open }) {
    const page = await open("play_rows", makePage("billiards").html, { hash: quiet });
    await page.waitForFunction(() => caromPlay.runCount > 0, undefined, { timeout: 60000 });
    assertSameRows(readRows(await saved(page, "#save-csv")), runByTool("billiards"));
    await nextRun(page, () => setSlider(page, "speed", 2.5));
    assertSameRows(readRows(await saved(page, "#save-csv")), runByTool("billiards", ["--set", "speed=2.5"]));
    assert.deepEqual(page.faults, []);
  },

  async reports_with_the_simulator_show_their_run_and_simulate_with_its_options({ open }) {
    const folder = mkdtempSync(join(tmpdir(), "carom-play-")), options = ["--stop", "1.5", "--tol", "1e-6"];
    execFileSync(tool, ["run", join(examples, "billiards.lua"), "--quiet", "--interactive", "--set", "speed=2", "--out", folder, ...options], { stdio: "pipe" });
    const html = readFileSync(join(folder, "report.html"), "utf8");
    rmSync(folder, { recursive: true });
    const page = await open("play_report", html, { hash: `${quiet}&page=about` });
    assert.equal(await page.evaluate(() => caromPlay.run === caromPlay.given && caromPlay.runCount), 1); // before there is a simulator
    assert.equal(await page.evaluate(() => caromPlay.run.stopTime), 1.5);
    assert.match(await page.textContent("#page-about"), /Versions/);
    await page.click("#tab-model");
    await page.waitForSelector('[data-name="speed"] input[type=range]');
    assert.equal(await page.inputValue('[data-name="speed"] input[type=range]'), "2");
    assertSameRows(readRows(await saved(page, "#save-csv")), runByTool("billiards", ["--set", "speed=2", ...options]));
    await nextRun(page, () => setSlider(page, "speed", 2.5));
    assert.equal(await page.evaluate(() => caromPlay.run !== caromPlay.given && caromPlay.run.stopTime), 1.5);
    assertSameRows(readRows(await saved(page, "#save-csv")), runByTool("billiards", ["--set", "speed=2.5", ...options]));
    assert.deepEqual(page.faults, []);
  },

  async a_run_is_saved_as_a_report_that_simulates({ open }) {
    const page = await open("play_save", makePage("billiards").html, { hash: quiet });
    await page.waitForFunction(() => caromPlay.runCount > 0, undefined, { timeout: 60000 });
    await nextRun(page, () => setSlider(page, "speed", 2.5));
    await page.click("#tab-source");
    await nextRun(page, () => setSource(page, ["stopTime = 5", "stopTime = 2 --[[ </script> <!-- ]]"]));
    await page.click("#tab-model");
    const html = await saved(page, "#save-page"), last = await page.evaluate(() => Array.from(caromPlay.result.bodies[1].poses.slice(-7)));
    const again = await open("play_saved", html, { hash: quiet });
    assert.equal(await again.evaluate(() => caromPlay.run === caromPlay.given && caromPlay.run.stopTime), 2);
    assert.deepEqual(await again.evaluate(() => Array.from(caromPlay.given.bodies[1].poses.slice(-7))), last);
    await again.waitForSelector('[data-name="speed"] input[type=range]');
    assert.equal(await again.inputValue('[data-name="speed"] input[type=range]'), "2.5");
    await nextRun(again, () => setSlider(again, "speed", 2));
    assert.equal(await again.evaluate(() => caromPlay.run !== caromPlay.given && caromPlay.run.stopTime), 2);
    assert.deepEqual([...page.faults, ...again.faults], []);
    const twice = await saved(again, "#save-page"); // and once more
    assert.ok(twice.startsWith("<!doctype html>") && Math.abs(twice.length - html.length) < 0.2 * html.length);
  },

  async a_mistake_in_the_source_is_told_and_the_last_run_stays({ open }) {
    const source = readFileSync(join(examples, "pendulum.lua"), "utf8");
    const page = await open("play_mistake", makePage("pendulum").html, { hash: quiet });
    await page.waitForFunction(() => caromPlay.runCount > 0, undefined, { timeout: 60000 });
    await page.click("#tab-source");
    const end = await page.evaluate(() => Array.from(caromPlay.run.bodies[1].poses.slice(-7)));
    const broken = source.replace("world(", "wrold(");
    assert.notEqual(broken, source);
    await setSource(page, ["world(", "wrold("]);
    await page.waitForSelector(".message.is-error");
    const folder = mkdtempSync(join(tmpdir(), "carom-play-"));
    writeFileSync(join(folder, "pendulum.lua"), broken);
    const { stderr } = spawnSync(tool, ["check", "pendulum.lua"], { cwd: folder, encoding: "utf8" });
    rmSync(folder, { recursive: true });
    const told = await page.$$eval(".message.is-error", (nodes) => nodes.map((node) => node.textContent));
    assert.equal(told.join("\n"), stderr.trimEnd());
    assert.deepEqual(await page.evaluate(() => Array.from(caromPlay.run.bodies[1].poses.slice(-7))), end);
    assert.equal(await page.evaluate(() => caromPlay.clock.isPlaying), true);
    assert.equal(await page.isVisible(".fault-note"), true);
    await nextRun(page, () => setSource(page, ["wrold(", "world("]));
    assert.equal(await page.isVisible(".fault-note"), false);
    assert.deepEqual(page.faults, []);
  },

  async bodies_are_pulled_at_sixty_pictures_a_second_and_the_tool_does_it_again({ open }) {
    const page = await open("play_pull", makePage("billiards", undefined, ["--set", "speed=0.01"]).html, { hash: `${quiet}&play=0` });
    await page.waitForFunction(() => caromPlay.runCount > 0, undefined, { timeout: 60000 });
    await page.click("#touch");
    await page.waitForFunction(() => caromPlay.live.interval > 0 && caromPlay.live.steps > 0, undefined, { timeout: 60000 });
    const from = await placeOf(page, "cue");
    await page.evaluate(() => { caromPlay.frames = []; });
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.waitForFunction(() => caromPlay.live.held !== null);
    for (let i = 1; i <= 60; i++) {
      await page.mouse.move(from.x + i, from.y - i);
      await page.waitForTimeout(16);
    }
    await page.waitForFunction(() => caromPlay.live.steps > 256, undefined, { timeout: 60000 });
    const [height, frames] = await page.evaluate(() => [caromPlay.stage.poseOf(caromPlay.run.objectOf.get("cue"))[2], caromPlay.frames]);
    await page.mouse.up();
    frames.sort((a, b) => a - b);
    const cost = frames[Math.floor(0.95 * frames.length)];
    console.log(`      pulled for ${frames.length} pictures, 95 % of them took ${cost.toFixed(1)} ms of script at most, ${share().toFixed(1)} programs per processor`);
    assert.ok(height > 0.05, `the ball was lifted to ${height} m`);
    assert.ok(cost <= 8 * share(), `${cost} ms of script`);
    await page.click("#live-pause");
    await nextRun(page, () => page.click("#live-done"));
    const session = await saved(page, "#save-session"), rows = readRows(await saved(page, "#save-csv"));
    const folder = mkdtempSync(join(tmpdir(), "carom-play-")), file = join(folder, "session.json");
    writeFileSync(file, session);
    assertSameRows(rows, runByTool("billiards", ["--session", file]));
    rmSync(folder, { recursive: true });
    assert.ok(JSON.parse(session).actions.some(([, kind]) => kind === "pull"));
    assert.deepEqual(page.faults, []);
  },

  async what_a_session_was_refused_is_not_in_its_list({ open }) {
    const page = await open("play_refused", makePage("billiards").html, { hash: `${quiet}&play=0` });
    await page.waitForFunction(() => caromPlay.runCount > 0, undefined, { timeout: 60000 });
    await page.click("#touch");
    await page.waitForFunction(() => caromPlay.live.interval > 0 && caromPlay.live.steps > 0, undefined, { timeout: 60000 });
    await page.evaluate(() => {
      caromPlay.live.actions.push(["grab", "table", 0, 0, 0], ["pull", 0, 0, 1], ["grab", "cue", 0, 0, 0], ["pull", 0.1, 0, 0.1]); // the table does not move
    });
    await page.waitForFunction(() => caromPlay.live.actions.length === 0 && caromPlay.live.record.actions.length === 2, undefined, { timeout: 60000 });
    const actions = await page.evaluate(() => caromPlay.live.record.actions.map(([, ...action]) => action.slice(0, 2).join(" ")));
    assert.deepEqual(actions, ["grab cue", "pull 0.1"]);
    assert.deepEqual(page.faults, []);
  },

  async long_runs_show_how_far_they_are_and_can_be_ended({ open }) {
    const source = `${readFileSync(join(examples, "double_pendulum.lua"), "utf8").replace(/stopTime = [\d.]+/, "stopTime = 1e5, interval = 1").replace(/tolerance = [\de.-]+/, "tolerance = 1e-12")}`;
    assert.match(source, /1e5[^}]*1e-12|1e-12[^}]*1e5/);
    const page = await open("play_long", makePage("long", source).html, { hash: quiet });
    await page.waitForSelector(".work-note:not([hidden])", { timeout: 60000 });
    await page.waitForFunction(() => caromPlay.run?.rowCount > 2, undefined, { timeout: 60000 });
    assert.equal(await page.evaluate(() => caromPlay.runCount), 0);
    await page.click("#cancel");
    assert.equal(await page.isVisible(".work-note"), false);
    assert.equal(await page.textContent("#subtitle"), "stopped");
    assert.deepEqual(page.faults, []);
  },
};

// A session with pulls and inputs in the module, saved and done again by the tool: all rows are the same, bit by bit. And what
// a pull does is right: a body that is held hangs below the hand by g / (2 pi f)^2.
//
// usage: node wasm/test_session.mjs TOOL
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { Module } from "../viewer/src/module.js";

const here = dirname(fileURLToPath(import.meta.url));
const tool = process.argv[2];
const module = await WebAssembly.compile(gunzipSync(readFileSync(join(here, "carom.wasm.gz"))));
const folder = mkdtempSync(join(tmpdir(), "carom-session-"));

const doers = {
  grab: (carom, ...given) => carom.grab(...given),
  pull: (carom, ...given) => carom.pull(...given),
  release: (carom) => carom.release(),
  input: (carom, ...given) => carom.setInput(...given),
};

/** Does a session in the module: all columns, that of time first, and what the actions returned. */
async function play(name, source, session) {
  const carom = await Module.open(module);
  carom.setFile(name, source);
  assert.ok(carom.open(name, Object.entries(session.set)).ok, JSON.stringify(carom.messages()));
  let names;
  assert.ok(carom.liveStart((description) => { names = description.variables.map((variable) => variable.name); }));
  const answers = [];
  for (let step = 0; step <= session.steps; step++) {
    for (const [at, kind, ...given] of session.actions) if (at === step) answers.push(doers[kind](carom, ...given));
    if (step < session.steps) assert.ok(carom.liveStep(1), carom.messages().map(({ text }) => text).join("\n"));
  }
  carom.liveEnd();
  return { names: ["time", ...names], columns: Array.from({ length: carom.columnCount + 1 }, (_, i) => carom.column(i - 1)), answers };
}

function replay(name, source, session) {
  const model = join(folder, name), file = join(folder, "session.json"), out = join(folder, "out");
  writeFileSync(model, source);
  writeFileSync(file, JSON.stringify(session));
  execFileSync(tool, ["run", model, "--session", file, "--quiet", "--no-report", "--out", out], { stdio: "pipe" });
  execFileSync(tool, ["convert", join(out, "result.h5"), join(folder, "rows.csv")], { stdio: "pipe" });
  return readFileSync(join(folder, "rows.csv"), "utf8").trimEnd().split(/\r?\n/).slice(1).map((line) => line.split(",").map((text) => (text === "" ? NaN : Number(text))));
}

async function assertSame(name, source, session) {
  const played = await play(name, source, session), rows = replay(name, source, session);
  assert.equal(rows.length, played.columns[0].length);
  assert.equal(rows[0].length, played.columns.length);
  for (let i = 0; i < rows.length; i++) {
    const k = rows[i].findIndex((x, column) => !Object.is(x, played.columns[column][i]));
    assert.equal(k, -1, `${name}, row ${i}, ${played.names[k]}: ${rows[i][k]} and ${played.columns[k]?.[i]}`);
  }
  console.log(`same    ${name}: ${session.steps} steps, ${session.actions.length} actions, ${played.columns.length} columns`);
  return played;
}

function make(steps, actions, set = {}) {
  return { format: "carom session 1", model: "model.lua", set, steps, actions };
}

const ball = `local w = world("w")
object("ball", { free = true, position = {0, 0, 2}, features = { solid{ shape = sphere{ diameter = 0.2 }, material = "Steel" } } })`;

const tests = {
  async a_held_body_hangs_below_the_hand() {
    const { names, columns } = await play("ball.lua", ball, make(1024, [[0, "grab", "ball", 0, 0, 0], [0, "pull", 0.1, 0, 2]]));
    const last = (name) => columns[names.indexOf(name)].at(-1);
    assert.ok(Math.abs(last("ball.position.x") - 0.1) < 1e-6, `x = ${last("ball.position.x")}`);
    assert.ok(Math.abs(last("ball.position.z") - (2 - 9.81 / (6 * Math.PI) ** 2)) < 1e-6, `z = ${last("ball.position.z")}`);
    assert.ok(Math.abs(last("ball.velocity.z")) < 1e-6);
  },
  async a_released_body_falls_freely() {
    const { names, columns } = await play("ball.lua", ball, make(512, [[0, "grab", "ball", 0, 0, 0], [0, "pull", 0, 0, 3], [256, "release"]]));
    const v = columns[names.indexOf("ball.velocity.z")];
    assert.ok(Math.abs(v[512] - v[256] + 9.81) < 1e-9, `${v[512] - v[256]} m/s in a second`);
  },
  async what_does_not_move_cannot_be_grabbed() {
    const { answers, columns } = await play("ball.lua", ball, make(4, [[0, "grab", "w", 0, 0, 0], [1, "pull", 0, 0, 1], [2, "grab", "nobody", 0, 0, 0]]));
    assert.deepEqual(answers, [false, false, false]);
    assert.equal(columns[0].length, 5);
  },
  async pulled_billiards_are_the_same_in_the_tool() {
    const actions = [[10, "grab", "cue", 0, 0, 0.02]];
    for (let step = 10; step < 150; step += 4) actions.push([step, "pull", -0.5 + 0.004 * step, 0.1 * Math.sin(0.05 * step), 0.06]);
    actions.push([150, "release"], [200, "grab", "ball1", 0.01, 0, 0], [200, "pull", 0.2, 0.3, 0.3], [260, "release"]);
    await assertSame("billiards.lua", readFileSync(join(here, "..", "examples", "billiards.lua"), "utf8"), make(300, actions, { speed: "2" }));
  },
  async inputs_are_the_same_in_the_tool() {
    const source = `local w = world("w")
object("cart", { features = { solid{ shape = box{ size = {0.5, 0.2, 0.1} }, material = "Steel" } } })
prismatic("rail", w, "cart", { force = input("push", { unit = "N" }) })`;
    const { names, columns } = await assertSame("cart.lua", source, make(200, [[0, "input", "push", 5], [60, "input", "push", -3.25], [100, "grab", "cart", 0.2, 0, 0], [100, "pull", 0.3, 0.1, 0.4]]));
    const v = columns[names.indexOf("rail.velocity")], mass = 0.5 * 0.2 * 0.1 * 8000;
    assert.ok(Math.abs((v[60] * mass) / 5 - 60 / 256) < 1e-12, `${v[60]} m/s`);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
rmSync(folder, { recursive: true });
process.exit(failed > 0 ? 1 : 0);

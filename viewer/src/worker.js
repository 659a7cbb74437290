// The worker of a play page: it holds the simulator, and does one thing after the other that the page asks for.
//
//   { kind: "start", module, files, options }    the simulator, packed or compiled, the files of the model, and what its runs are
//                                                told beside it: "ready" with the compiled one
//   { kind: "open", path, settings, source }     reads the model: "model", then "opened"
//   { kind: "run", path, settings, source }      reads the model and runs it: "model", "begin", "rows" …, then "run"
//   { kind: "live", path, settings, source, time }    begins a session and goes on to a time: "model", "begin", then "pose"
//   { kind: "advance", count, actions }          does actions, then goes on by so many points: "pose"
//   { kind: "end" }                              ends the session: "run"
//   { kind: "csv", path, settings, source }      all rows of the last run, or where there was none of one now: "csv"
import { decodeBase91 } from "./base91.js";
import { Module } from "./module.js";
import { csvText } from "./download.js";
import { unpack } from "./unpack.js";

const firstNews = 20; // [ms] after the start of a run: there is something to be seen
const newsInterval = 100; // [ms] between two looks at a run that goes on, later

let carom = null;

function post(message, ...buffers) {
  self.postMessage(message, buffers);
}

function open({ path, settings, source }) {
  if (source !== undefined) carom.setFile(path, source);
  const model = carom.open(path, settings);
  post({ kind: "model", model });
  return model;
}

/** Tells of a run while it goes on: what moves at its start, then rows of poses. */
function makeListener() {
  let next = performance.now() + firstNews, sent = 0;
  return {
    begin: (description, numbers) => post({ kind: "begin", description, numbers }, numbers.buffer),
    progress: (time) => {
      const now = performance.now();
      if (now < next) return false;
      next = now + newsInterval;
      const rows = carom.posesFrom(sent);
      sent += rows.byteLength;
      post({ kind: "rows", time, rows }, rows.buffer);
      return false;
    },
  };
}

function postResult(end, begin) {
  const messages = carom.messages();
  const result = end === "none" ? null : carom.describe();
  post({ kind: "run", end, messages, seconds: (performance.now() - begin) / 1000, ...result }, ...(result ? [result.numbers.buffer] : []));
}

function postPose(isGood, begin, description) {
  const poses = carom.posesFrom(0);
  post({ kind: "pose", isGood, poses, messages: isGood ? [] : carom.messages(), seconds: (performance.now() - begin) / 1000, ...description }, poses.buffer);
}

const actions = {
  grab: (path, x, y, z) => carom.grab(path, x, y, z),
  pull: (x, y, z) => carom.pull(x, y, z),
  release: () => carom.release(),
  input: (path, value) => carom.setInput(path, value),
};

const tasks = {
  async start({ module, files, options }) {
    const compiled = typeof module === "string" ? await WebAssembly.compile(await unpack(module, decodeBase91)) : module;
    carom = await Module.open(compiled);
    carom.setOptions(options);
    for (const { path, content } of files) carom.setFile(path, content);
    post({ kind: "ready", module: compiled });
  },
  open(message) {
    open(message);
    post({ kind: "opened" });
  },
  run(message) {
    const begin = performance.now();
    const end = open(message).ok ? carom.run(makeListener()) : "none";
    postResult(end, begin);
  },
  live(message) {
    const begin = performance.now();
    let start = null;
    const isGood = open(message).ok && carom.liveStart((description, numbers) => { start = { description, numbers }; });
    const count = isGood ? Math.max(0, Math.round((message.time - message.start) / carom.liveInterval)) : 0;
    const hasCome = isGood && carom.liveStep(count);
    postPose(hasCome, begin, { ...start, interval: carom.liveInterval, steps: count });
  },
  advance({ count, actions: list }) {
    const begin = performance.now();
    const refused = list.flatMap(([name, ...given], i) => (actions[name](...given) ? [] : [i])); // places in the list
    postPose(carom.liveStep(count), begin, { count, refused });
  },
  end() {
    const begin = performance.now();
    carom.liveEnd();
    postResult("complete", begin);
  },
  csv(message) {
    if (carom.rowCount === 0 && open(message).ok) carom.run(); // of the run that came with the page there are pictures only
    const names = carom.describe().description.variables.map(({ name, unit }) => `${name} [${unit}]`);
    const columns = [-1, ...names.keys()].map((i) => carom.column(i));
    post({ kind: "csv", text: csvText(["time [s]", ...names], columns) });
  },
};

let before = Promise.resolve(); // what is asked for waits for what was asked before; without a simulator all of it fails

self.onmessage = ({ data }) => {
  const task = before.then(() => tasks[data.kind](data)), told = task.catch((error) => post({ kind: "failure", text: error.message }));
  before = data.kind === "start" ? task : told;
};

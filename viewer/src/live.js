// A run that goes on: rows come over Server-Sent Events, as src/show/live_log.h describes them, and the run grows by them.
// Emits "rows" when there are new ones, "end" with how the run ended ("ok", "interrupted", "failed", "lost").
import { Emitter } from "./emitter.js";
import { Growing } from "./growing.js";
import { decodeBase64 } from "./unpack.js";

const patience = 100; // [ms] rows are gathered for this long
const headSize = 4; // numbers before the poses of a row
const sampleSize = 17; // numbers of a sample, without its corners

export class LiveFeed extends Emitter {
  #pending = []; // rows as arrays of numbers
  #timer = null;
  #pairs = new Map(); // "a b" → number of a pair

  /** `run` has no rows yet; `address` is where they come from. */
  constructor(run, address) {
    super();
    this.run = run;
    this.times = new Growing(Float64Array);
    this.relative = new Growing();
    const bodyOf = new Map(run.bodies.map((body) => [body.path, body]));
    this.bodies = run.live.bodies.map((path) => ({ body: bodyOf.get(path), numbers: new Growing() }));
    this.columns = run.recorded.map((variable) => ({ variable, numbers: new Growing() }));
    this.contacts = { starts: new Growing(), samples: new Growing(), measures: new Growing(), cornerStarts: new Growing(), corners: new Growing(), losses: new Growing() };
    this.contacts.starts.add([0]);
    this.contacts.cornerStarts.add([0]);
    this.#listen(address);
  }

  #listen(address) {
    const source = new EventSource(address);
    source.addEventListener("message", ({ data }) => this.#take(data));
    source.addEventListener("happening", ({ data }) => this.run.events.push(JSON.parse(data)));
    source.addEventListener("contact", ({ data }) => this.#takeContact(JSON.parse(data)));
    source.addEventListener("end", ({ data }) => this.#end(source, JSON.parse(data)));
    source.addEventListener("error", () => this.#end(source, { end: "lost" }));
  }

  /** Waits for the first row, or for a run that ends without one. */
  async start() {
    await new Promise((resolve) => this.on("rows", resolve));
  }

  #take(text) {
    const bytes = decodeBase64(text);
    this.#pending.push(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4));
    this.#timer ??= setTimeout(() => this.#flush(), this.run.rowCount === 0 ? 0 : patience);
  }

  #pairOf(a, b) {
    const key = `${a} ${b}`, { objects } = this.run.live;
    if (!this.#pairs.has(key)) this.#pairs.set(key, this.run.addPair([objects[a], objects[b]]));
    return this.#pairs.get(key);
  }

  #takeContact({ objects, ...contact }) {
    const pair = this.#pairOf(...objects);
    this.run.contactList.push({ pair, ...contact });
    this.run.contactCount++;
    this.run.events.push({ time: contact.begin, kind: "contact", text: this.run.contacts.pairs[pair].join(" and ") });
  }

  #flush() {
    this.#timer = null;
    for (const numbers of this.#pending) this.#addRow(numbers);
    this.#pending = [];
    this.#publish();
    this.emit("rows");
  }

  #addRow(numbers) {
    const time = numbers[0] + numbers[1];
    if (this.times.count === 0) this.run.timeOrigin = time;
    this.times.add([time]);
    this.relative.add([time - this.run.timeOrigin]);
    let at = headSize;
    for (const { numbers: poses } of this.bodies) poses.add(numbers.subarray(at, (at += 7)));
    for (const { numbers: values } of this.columns) values.add(numbers.subarray(at, ++at));
    for (let i = 0; i < numbers[3]; i++) at = this.#addSample(numbers, at);
    this.contacts.starts.add([this.contacts.losses.count]);
  }

  /** Returns where the next one begins. */
  #addSample(numbers, at) {
    const { samples, measures, cornerStarts, corners, losses } = this.contacts;
    samples.add([this.#pairOf(numbers[at], numbers[at + 1])]);
    samples.add(numbers.subarray(at + 2, at + 12)); // point, normal, force, depth
    measures.add(numbers.subarray(at + 12, at + 15));
    losses.add(numbers.subarray(at + 15, at + 16));
    const end = at + sampleSize + 4 * numbers[at + 16];
    corners.add(numbers.subarray(at + sampleSize, end));
    cornerStarts.add([corners.count / 4]);
    return end;
  }

  /** Lets the run see what has come. */
  #publish() {
    const { run } = this;
    run.times = this.times.view;
    run.relativeTimes = this.relative.view;
    for (const { body, numbers } of this.bodies) if (body) body.poses = numbers.view;
    for (const { variable, numbers } of this.columns) variable.values = numbers.view;
    for (const [name, numbers] of Object.entries(this.contacts)) run.contacts[name] = numbers.view;
    run.events.sort((a, b) => a.time - b.time);
    run.eventCount = run.events.length;
    run.rowCount = this.times.count;
  }

  #end(source, { end, isCut = false }) {
    if (this.run.liveEnd) return;
    source.close();
    this.run.liveEnd = end;
    this.run.isCut = isCut;
    clearTimeout(this.#timer);
    this.#flush();
    this.emit("end", end);
  }
}

/** Keeps a page in step with a run that grows: the last time is shown as long as nobody looks at another one. */
export function follow(feed, page) {
  const { run, clock, stage, board, panel, transport } = page;
  let drawn = 0;
  const show = () => {
    const isAtEnd = clock.time >= clock.stop && !clock.isPlaying;
    stage?.motion.extend();
    clock.extend();
    transport.extend();
    const now = performance.now();
    if (now - drawn > 3 * patience || run.liveEnd) {
      drawn = now;
      stage?.contacts.refresh();
      board.refresh();
    }
    if (isAtEnd) clock.setTime(clock.stop);
    stage?.invalidate();
  };
  feed.on("rows", show);
  feed.on("end", () => {
    show();
    stage?.refreshTrails();
    panel.renew();
  });
}

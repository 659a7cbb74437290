// A run: the description and the numbers of the two data elements of the page. docs/report_format.md says what is in them.
import { makeContactSignals } from "./contact_signals.js";
import { composePoses, identityPose } from "./pose.js";
import { unpack } from "./unpack.js";

const format = 1;

/** Reads the data elements of the page. */
export async function readRun() {
  const text = document.getElementById("carom-run").textContent;
  if (text.startsWith("@")) throw new Error("This page is the empty template: no run has been written into it.");
  const description = JSON.parse(text);
  if (description.format !== format) {
    throw new Error(`This page reads format ${format}; the run is written in format ${description.format}.`);
  }
  const element = document.getElementById("carom-data");
  const numbers = await decodeNumbers(element.textContent.trim());
  element.textContent = ""; // megabytes that nobody needs twice
  const run = new Run(description, numbers);
  run.others = (description.others ?? []).map((other) => new Run(other, numbers));
  return run;
}

/** base64 of gzip of float32, little-endian. */
async function decodeNumbers(text) {
  return new Float32Array(text === "" ? 0 : await unpack(text));
}

export class Run {
  constructor(description, numbers) {
    this.description = description;
    this.numbers = numbers;
    this.title = description.title ?? "Simulation";
    this.name = description.name ?? this.title; // tells it from results that are shown over it
    this.others = [];
    this.generator = description.generator ?? "";
    this.thinned = description.thinned ?? { every: 1 };
    this.timeOrigin = description.time.origin;
    this.relativeTimes = this.block(description.time.values); // [s] since timeOrigin
    this.rowCount = this.relativeTimes.length;
    this.times = Float64Array.from(this.relativeTimes, (time) => this.timeOrigin + time); // [s]
    for (const name of listNames) this[name] = description[name] ?? [];
    this.contactCount = description.contactCount ?? this.contactList.length; // the lists may be cut off
    this.eventCount = description.eventCount ?? this.events.length;
    this.live = description.live ?? null; // of a run that goes on: what its rows hold
    this.liveEnd = null; // how it ended
    this.contacts = this.#readContacts(description.contacts ?? (this.live ? { pairs: [], starts: [0, 0], samples: [0, 0] } : undefined));
    this.source = description.source;
    this.scene = description.scene;
    this.gravity = description.gravity ?? [0, 0, 0];
    this.recorded = this.variables.map((variable) => ({ ...variable, values: this.block(variable.values) }));
    this.variables = [...this.recorded, ...makeContactSignals(this)];
    this.variableOf = new Map(this.variables.map((variable) => [variable.name, variable]));
    this.events.sort((a, b) => a.time - b.time);
    this.#readBodies();
    this.#readObjects();
  }

  get startTime() {
    return this.timeAt(0);
  }

  get stopTime() {
    return this.timeAt(this.rowCount - 1);
  }

  /** Time of an output point [s]. */
  timeAt(row) {
    return this.rowCount === 0 ? 0 : this.timeOrigin + this.relativeTimes[row];
  }

  /** A piece of the numbers: [first, count]. */
  block([first, count]) {
    if (!(first >= 0) || !(count >= 0) || first + count > this.numbers.length) {
      throw new Error(`The report is damaged: numbers ${first} to ${first + count} are asked for, ${this.numbers.length} are there.`);
    }
    return this.numbers.subarray(first, first + count);
  }

  /** Row of the last output point at or before a time; -1 before the first. */
  rowBefore(time) {
    const relative = time - this.timeOrigin;
    let low = -1, high = this.rowCount;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.relativeTimes[middle] <= relative) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Value of a variable at a time, on the straight line between output points. */
  valueAt(variable, time) {
    const row = Math.max(0, Math.min(this.rowBefore(time), this.rowCount - 1));
    const next = Math.min(row + 1, this.rowCount - 1);
    const span = this.relativeTimes[next] - this.relativeTimes[row];
    const share = span > 0 ? Math.max(0, Math.min(1, (time - this.timeOrigin - this.relativeTimes[row]) / span)) : 0;
    const a = variable.values[row], b = variable.values[next];
    return share === 0 ? a : a + (b - a) * share;
  }

  #readBodies() {
    this.bodies = this.bodies.map((body) => ({ ...body, poses: body.poses ? this.block(body.poses) : null }));
    if (this.bodies.length === 0) this.bodies.push({ path: "", poses: null });
  }

  #readObjects() {
    this.objects = this.objects.map((object, index) => ({
      ...object,
      index,
      body: object.body ?? 0,
      pose: object.pose ?? identityPose,
      shapes: object.shapes ?? [],
    }));
    this.objectOf = new Map(this.objects.map((object) => [object.path, object]));
  }

  #readContacts(contacts) {
    if (!contacts) return null;
    const optional = (block) => (block ? this.block(block) : null);
    return { pairs: contacts.pairs, starts: this.block(contacts.starts), samples: this.block(contacts.samples),
      measures: optional(contacts.measures), cornerStarts: optional(contacts.cornerStarts), corners: optional(contacts.corners), losses: optional(contacts.losses) };
  }

  /** Adds a pair of objects that touch, while a run goes on; returns its number. */
  addPair(pair) {
    this.contacts.pairs.push(pair);
    for (const signal of makeContactSignals(this, this.contacts.pairs.length - 1)) {
      this.variables.push(signal);
      this.variableOf.set(signal.name, signal);
    }
    return this.contacts.pairs.length - 1;
  }

  /** The variables that belong to an object: its own, those of the joints that move it, and those of its contacts. */
  variablesOf(path) {
    const prefixes = [path + ".", ...this.joints.filter((joint) => joint.objectB === path).map((joint) => joint.path + ".")];
    return this.variables.filter(({ name, isContact, pair }) =>
      (isContact ? this.contacts.pairs[pair].includes(path) : prefixes.some((prefix) => name.startsWith(prefix))));
  }

  /** Pose of a shape in the body of its object. */
  shapePose(object, shape) {
    return composePoses(object.pose, shape.pose ?? identityPose);
  }
}

const listNames = [
  "looks", "meshes", "bodies", "objects", "joints", "springs", "cables", "forces", "couplings", "variables", "events", "contactList", "statistics", "energy",
  "parameters", "versions",
];

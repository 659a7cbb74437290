// Contacts in the picture: points, normals, force arrows and patches at the time that is shown.
//
// A sample has eleven numbers: pair, point (3), normal (3), force on the second object (3), depth. Samples are given at output
// points. Between two of them, a pair that has as many samples in both is blended; another is shown at the nearer one.
import { Group, MeshBasicMaterial, SphereGeometry } from "three";
import { Arrows, SeenThrough } from "./arrow.js";
import { PatchView } from "./patch_view.js";
import { writeMatrix } from "./pose.js";

const stride = 11;
const longArrow = 0.16; // [1] of the scene's radius: arrow of a typical force, at most
const shortArrow = 0.035; // and at least
const arrowOfBody = 1.8; // [1] of the radius of bodies that touch: what it is between these
const longest = 4.4; // arrows of larger forces hardly grow beyond so many typical ones
const blendedContacts = 500; // where more are at an output point, they are not blended with those of the next one
const fewContacts = 12; // where more are shown at a time, on average, marks are smaller
const manyContacts = 60; // and then not seen through solid parts

export class ContactView extends Group {
  /** `findBodyRadius` gives the radius [m] of a typical body that touches another one. */
  constructor(run, bounds, findBodyRadius) {
    super();
    this.run = run;
    this.size = bounds.radius;
    this.findBodyRadius = findBodyRadius;
    this.show = { points: true, normals: false, forces: true, patches: true };
    this.forceFactor = 1;
    const isSeenThrough = this.#meanCount() < manyContacts, isCoarse = this.#meanCount() > blendedContacts;
    const sides = isCoarse ? 5 : 12;
    this.forces = new Arrows("#e0401f", isSeenThrough, sides);
    this.normals = new Arrows("#1a8f5a", isSeenThrough, sides);
    this.points = new SeenThrough(isCoarse ? new SphereGeometry(1, 6, 4) : new SphereGeometry(1, 14, 10), new MeshBasicMaterial({ color: "#ffb000", toneMapped: false }), isSeenThrough);
    this.patches = new PatchView(run, bounds.radius);
    this.add(this.patches, this.forces, this.normals, this.points);
    this.refresh();
  }

  /** Scales arrows and colours to what the run holds by now. */
  refresh() {
    const { size } = this;
    this.typicalLength = Math.max(shortArrow * size, Math.min(longArrow * size, arrowOfBody * this.findBodyRadius())); // [m]
    const slim = Math.max(0.45, Math.sqrt(this.typicalLength / (longArrow * size)));
    this.markSize = slim * Math.max(0.3, Math.min(1, Math.sqrt(fewContacts / Math.max(this.#meanCount(), 1e-9))));
    this.typicalForce = typicalForce(this.run.contacts);
    this.patches.refresh();
  }

  /** Of contacts at a time, over the run. */
  #meanCount() {
    return this.run.contacts ? this.run.contacts.samples.length / stride / Math.max(1, this.run.rowCount) : 0;
  }

  /** [m/N] of the force arrows. */
  get metresPerNewton() {
    return (this.forceFactor * this.typicalLength) / this.typicalForce;
  }

  /** Draws the contacts at a time; `line` [m] is the radius of a thin line at the scene's distance. */
  write(time, line) {
    const width = line * this.markSize;
    const { numbers, first, count } = this.#choose(time);
    this.points.reserve(count);
    this.forces.begin(count);
    this.normals.begin(count);
    const scale = this.metresPerNewton, normal = 1.4 * this.typicalLength;
    dotSize.fill(1.35 * width);
    for (let i = 0; i < count; i++) {
      const at = stride * (first + i);
      for (let k = 0; k < 3; k++) dotPose[k] = numbers[at + 1 + k];
      if (this.show.points) writeMatrix(dotPose, 0, dotSize, this.points.matrices, 16 * i);
      if (this.show.forces) this.#putForce(numbers, at, scale, width);
      if (this.show.normals) this.normals.putAt(numbers, at + 1, numbers[at + 4] * normal, numbers[at + 5] * normal, numbers[at + 6] * normal, 0.7 * width);
    }
    this.points.show(this.show.points ? count : 0);
    this.forces.end();
    this.normals.end();
    if (this.show.patches && this.patches.isUsed) this.patches.write(nearestRow(this.run, time));
    else this.patches.hide();
    this.drawn = { numbers, first, count };
  }

  /** The arrow of a force: to scale, but for forces far above the typical one. */
  #putForce(numbers, at, scale, width) {
    const x = numbers[at + 7], y = numbers[at + 8], z = numbers[at + 9];
    const length = scale * Math.sqrt(x * x + y * y + z * z), limit = longest * this.typicalLength;
    const drawn = length > limit ? scale * (limit / length) * (1 + 0.12 * Math.log(length / limit)) : scale;
    this.forces.putAt(numbers, at + 1, x * drawn, y * drawn, z * drawn, width);
  }

  /** The samples to draw, as numbers from a first one on: blended, or those of the nearer output point where they are many. */
  #choose(time) {
    const { run } = this;
    if (!run.contacts || run.rowCount === 0) return { numbers: [], first: 0, count: 0 };
    const { starts, samples } = run.contacts, row = nearestRow(run, time), count = starts[row + 1] - starts[row];
    if (count > blendedContacts) return { numbers: samples, first: starts[row], count };
    const list = samplesAt(run, time), numbers = new Float32Array(stride * list.length);
    list.forEach((sample, i) => numbers.set(sample, stride * i));
    return { numbers, first: 0, count: list.length };
  }

  /** What is drawn: arrays of eleven numbers. */
  get shown() {
    const { numbers, first, count } = this.drawn ?? { count: 0 };
    return Array.from({ length: count }, (_, i) => Array.from(numbers.subarray(stride * (first + i), stride * (first + i + 1))));
  }
}

const dotPose = Float64Array.of(0, 0, 0, 1, 0, 0, 0), dotSize = new Float64Array(3);

/** The samples of an output point, as views. */
function samplesOfRow({ starts, samples }, row) {
  const list = [];
  for (let i = starts[row]; i < starts[row + 1]; i++) list.push(samples.subarray(stride * i, stride * (i + 1)));
  return list;
}

/** The output point that a time is nearer to. */
export function nearestRow(run, time) {
  const row = Math.max(0, run.rowBefore(time));
  const isNext = row + 1 < run.rowCount && run.timeAt(row + 1) - time < time - run.timeAt(row);
  return isNext ? row + 1 : row;
}

/** What is known of contacts at the nearer output point: pair, force [N], depth [m], area [m^2], mean and largest pressure [N/m^2]. */
export function measuresAt(run, time) {
  if (!run.contacts || run.rowCount === 0) return [];
  const { starts, samples, measures } = run.contacts, row = nearestRow(run, time);
  return Array.from({ length: starts[row + 1] - starts[row] }, (_, k) => {
    const i = starts[row] + k, s = stride * i;
    const [area, mean, most] = measures ? measures.subarray(3 * i, 3 * i + 3) : [NaN, NaN, NaN];
    return { pair: samples[s], force: Math.hypot(samples[s + 7], samples[s + 8], samples[s + 9]), depth: samples[s + 10], area, mean, most };
  });
}

/** Samples at a time: arrays of eleven numbers. */
export function samplesAt(run, time) {
  if (!run.contacts || run.rowCount === 0) return [];
  const row = Math.max(0, run.rowBefore(time));
  const here = samplesOfRow(run.contacts, row);
  if (row === run.rowCount - 1) return here;
  const share = (time - run.timeAt(row)) / (run.timeAt(row + 1) - run.timeAt(row));
  if (!(share > 0)) return here;
  const next = samplesOfRow(run.contacts, row + 1);
  if (here.length === 0 && next.length === 0) return here;
  return blendSamples(byPair(here), byPair(next), share);
}

function byPair(samples) {
  const pairs = new Map();
  for (const sample of samples) {
    if (!pairs.has(sample[0])) pairs.set(sample[0], []);
    pairs.get(sample[0]).push(sample);
  }
  return pairs;
}

function blendSamples(here, next, share) {
  const result = [];
  for (const pair of new Set([...here.keys(), ...next.keys()])) {
    const a = here.get(pair) ?? [], b = next.get(pair) ?? [];
    if (a.length === b.length) a.forEach((sample, i) => result.push(sample.map((value, k) => value + share * (b[i][k] - value))));
    else result.push(...(share < 0.5 ? a : b));
  }
  return result;
}

/** A force of the run that is neither small nor an outlier [N]: three in four are smaller. */
function typicalForce(contacts) {
  if (!contacts) return 1;
  const step = stride * Math.max(1, Math.floor(contacts.samples.length / stride / 5000));
  const sizes = [];
  for (let i = 0; i + stride <= contacts.samples.length; i += step) {
    const size = Math.hypot(contacts.samples[i + 7], contacts.samples[i + 8], contacts.samples[i + 9]);
    if (size > 0) sizes.push(size);
  }
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(0.75 * sizes.length)] || 1;
}

// Motion: poses of all bodies at any time, by interpolation between output points.
//
// Between rows i and i+1, with h = t[i+1] - t[i] and u = (t - t[i]) / h, a cubic in Hermite form
//     p = h00 p[i] + h10 h m[i] + h01 p[i+1] + h11 h m[i+1]
// goes exactly through both rows. The tangents m are those of the parabola through three rows, so that free flight is
// drawn as it is. Velocities jump at events: the tangent beside one comes from its own side alone, and an interval with an
// event inside is a straight line. All this is linear in the rows with weights that depend on time only: four weights per
// picture, four products per number.
import { identityPose } from "./pose.js";

const sameTime = 1e-9; // [1] of the whole time: an event so near an output point is at it
const shortInterval = 1e-3; // [1] of a mean interval: too short for a difference quotient of rounded numbers
const wideTurn = 0.6; // cosine of half the angle between two rows above which quaternions are turned, not blended

export class Motion {
  constructor(run) {
    this.run = run;
    this.poses = new Float64Array(7 * run.bodies.length); // what is shown
    this.alignedRows = 0;
    this.extend();
    this.sample(run.startTime);
  }

  /** Takes in rows that a run has got since. */
  extend() {
    this.#alignQuaternions();
    this.#markBreaks();
  }

  /** A quaternion and its negative are the same turn: take the one nearer to the row before. */
  #alignQuaternions() {
    if (this.alignedRows === this.run.rowCount) return;
    for (const { poses } of this.run.bodies) {
      if (!poses) continue;
      for (let k = 7 * Math.max(1, this.alignedRows) + 3; k < poses.length; k += 7) {
        const dot = poses[k] * poses[k - 7] + poses[k + 1] * poses[k - 6] + poses[k + 2] * poses[k - 5] + poses[k + 3] * poses[k - 4];
        if (dot < 0) for (let i = k; i < k + 4; i++) poses[i] = -poses[i];
      }
    }
    this.alignedRows = this.run.rowCount;
  }

  /** Which rows have different tangents on their two sides, and which intervals are straight. */
  #markBreaks() {
    const { run } = this, times = run.relativeTimes, count = run.rowCount;
    this.isBreak = new Uint8Array(count);
    this.isStraight = new Uint8Array(count);
    const span = run.stopTime - run.startTime;
    for (let i = 0; i + 1 < count; i++) {
      if (times[i + 1] - times[i] < (shortInterval * span) / count) this.#markStraight(i);
    }
    for (const event of run.events) {
      const row = run.rowBefore(event.time + sameTime * span);
      if (row < 0 || row >= count) continue;
      if (Math.abs(run.timeAt(row) - event.time) <= 2 * sameTime * span + 1e-7 * Math.abs(times[row])) this.isBreak[row] = 1;
      else this.#markStraight(row);
    }
  }

  #markStraight(row) {
    this.isStraight[row] = 1;
    this.isBreak[row] = 1;
    if (row + 1 < this.run.rowCount) this.isBreak[row + 1] = 1;
  }

  /** Computes this.poses at a time. */
  sample(time) {
    const { row, share, weights } = this.#findWeights(time);
    const { bodies } = this.run;
    for (let body = 0; body < bodies.length; body++) {
      const { poses } = bodies[body];
      if (poses) blend(poses, row, share, weights, this.poses, 7 * body);
      else writePose(identityPose, this.poses, 7 * body);
    }
    return this.poses;
  }

  /** The row before a time, the share of the interval that is over, and four weights of the rows row - 1 … row + 2. */
  #findWeights(time) {
    const { run } = this, times = run.relativeTimes;
    const row = Math.max(0, Math.min(run.rowBefore(time), run.rowCount - 1));
    const relative = time - run.timeOrigin;
    if (row === run.rowCount - 1 || relative <= times[row]) return { row, share: 0, weights: [0, 1, 0, 0] };
    const h = times[row + 1] - times[row];
    const u = (relative - times[row]) / h;
    if (this.isStraight[row]) return { row, share: u, weights: [0, 1 - u, u, 0] };
    return { row, share: u, weights: hermiteWeights(u, h, this.#intervalBefore(row), this.#intervalAfter(row)) };
  }

  /** Length of the interval before a row, 0 where its tangent may not use it. */
  #intervalBefore(row) {
    return row > 0 && !this.isBreak[row] ? this.run.relativeTimes[row] - this.run.relativeTimes[row - 1] : 0;
  }

  #intervalAfter(row) {
    const next = row + 1;
    return next + 1 < this.run.rowCount && !this.isBreak[next] ? this.run.relativeTimes[next + 1] - this.run.relativeTimes[next] : 0;
  }
}

/**
 * Weights of the cubic. `before` and `after` are the lengths of the neighbouring intervals, 0 if a side has none; then the
 * parabola of the other side is used (m[i] + m[i+1] = 2 secant), or a straight line.
 */
function hermiteWeights(u, h, before, after) {
  if (before === 0 && after === 0) return [0, 1 - u, u, 0];
  let left = before > 0 ? tangentWeights(before, h) : null; // of rows -1, 0, 1
  let right = after > 0 ? tangentWeights(h, after) : null; // of rows 0, 1, 2
  const a = left ? [left[0], left[1], left[2], 0] : [0, -2 / h - right[0], 2 / h - right[1], -right[2]];
  const b = right ? [0, right[0], right[1], right[2]] : [-left[0], -2 / h - left[1], 2 / h - left[2], 0];
  const u2 = u * u, u3 = u2 * u;
  const h00 = 2 * u3 - 3 * u2 + 1, h10 = (u3 - 2 * u2 + u) * h, h01 = 3 * u2 - 2 * u3, h11 = (u3 - u2) * h;
  return [h10 * a[0] + h11 * b[0], h00 + h10 * a[1] + h11 * b[1], h01 + h10 * a[2] + h11 * b[2], h10 * a[3] + h11 * b[3]];
}

/** Slope, at the middle of three points, of the parabola through them. */
function tangentWeights(h0, h1) {
  return [-h1 / (h0 * (h0 + h1)), (h1 - h0) / (h0 * h1), h0 / (h1 * (h0 + h1))];
}

/** One pose from four rows. Rows of weight zero may be outside, and are not read. */
function blend(poses, row, share, weights, out, k) {
  const a = weights[0], b = weights[1], c = weights[2], d = weights[3], at = 7 * row;
  const i = a !== 0 ? at - 7 : at, m = c !== 0 ? at + 7 : at, n = d !== 0 ? at + 14 : at;
  for (let j = 0; j < 7; j++) out[k + j] = a * poses[i + j] + b * poses[at + j] + c * poses[m + j] + d * poses[n + j];
  if (share > 0 && rowsDot(poses, at) < wideTurn) slerp(poses, at, share, out, k + 3);
  normalize(out, k + 3);
}

function rowsDot(poses, at) {
  return poses[at + 3] * poses[at + 10] + poses[at + 4] * poses[at + 11] + poses[at + 5] * poses[at + 12] + poses[at + 6] * poses[at + 13];
}

/** Turns at constant rate from one row to the next. */
function slerp(poses, at, share, out, k) {
  const angle = Math.acos(Math.max(-1, Math.min(1, rowsDot(poses, at))));
  const a = Math.sin((1 - share) * angle), b = Math.sin(share * angle);
  for (let i = 0; i < 4; i++) out[k + i] = a * poses[at + 3 + i] + b * poses[at + 10 + i];
}

function normalize(q, k) {
  const square = q[k] * q[k] + q[k + 1] * q[k + 1] + q[k + 2] * q[k + 2] + q[k + 3] * q[k + 3];
  if (square > 0) {
    const scale = 1 / Math.sqrt(square);
    q[k] *= scale;
    q[k + 1] *= scale;
    q[k + 2] *= scale;
    q[k + 3] *= scale;
  } else {
    q[k] = 1;
  }
}

function writePose(pose, out, k) {
  for (let i = 0; i < 7; i++) out[k + i] = pose[i];
}

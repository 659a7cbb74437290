// A run that goes on in the worker: only poses are known of it, up to where it has come.
import { Growing } from "./growing.js";
import { Run } from "./run.js";

export class PartialRun {
  #times = new Growing(Float64Array);
  #relative = new Growing();

  /** What the worker tells of the start: the poses there are the first row. */
  constructor({ description, numbers }) {
    const { variables, contacts, contactList, events, ...rest } = description;
    this.run = new Run(rest, numbers);
    this.bodies = this.run.bodies.filter(({ poses }) => poses).map((body) => ({ body, poses: new Growing() }));
  }

  /** Rows from the first on, in pieces: per row the time, then seven numbers for each body that moves. */
  add(rows) {
    const width = 1 + 7 * this.bodies.length, { run } = this;
    if (rows.length === 0) return;
    if (this.#times.count === 0) run.timeOrigin = rows[0];
    for (let at = 0; at + width <= rows.length; at += width) {
      this.#times.add([rows[at]]);
      this.#relative.add([rows[at] - run.timeOrigin]);
      this.bodies.forEach(({ poses }, i) => poses.add(rows.subarray(at + 1 + 7 * i, at + 8 + 7 * i)));
    }
    run.times = this.#times.view;
    run.relativeTimes = this.#relative.view;
    run.rowCount = this.#times.count;
    for (const { body, poses } of this.bodies) body.poses = poses.view;
  }
}

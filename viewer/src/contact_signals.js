// Signals of contacts: force, depth and lost energy of each pair of objects over time, made of what is known at output points.
// They are computed when somebody looks at them.

const stride = 11; // numbers of a sample

/** The pair of objects as one name. */
export function pairName(pairs, pair) {
  return (pairs[pair] ?? [`pair ${pair}`]).join(" – ");
}

/** Variables { name, unit, description, values, isContact, pair } of the pairs from `first` on, like those that were recorded. */
export function makeContactSignals(run, first = 0) {
  const table = tableOf(run);
  return (run.contacts?.pairs ?? []).slice(first).flatMap((_, i) => kinds
    .filter(({ needs }) => !needs || run.live || run.contacts[needs])
    .map((kind) => new ContactSignal(run, table, first + i, kind)));
}

const tables = new WeakMap(); // run → what is known of its pairs

function tableOf(run) {
  if (!tables.has(run)) tables.set(run, new PairTable(run));
  return tables.get(run);
}

const kinds = [
  { name: "force", unit: "N", text: "size of the contact force", compute: (table, pair) => table.sum(pair, "force") },
  { name: "depth", unit: "m", text: "largest depth", compute: (table, pair) => table.largest(pair, "depth") },
  { name: "losses", unit: "J", text: "energy that contacts have taken so far", needs: "losses", compute: (table, pair) => table.losses(pair) },
];

class ContactSignal {
  #values = null;
  #rows = -1; // that the values are of

  constructor(run, table, pair, kind) {
    const name = pairName(run.contacts.pairs, pair);
    Object.assign(this, { run, table, pair, kind, isContact: true });
    this.name = `${name}.${kind.name}`;
    this.unit = kind.unit;
    this.description = `${kind.text} of ${name}`;
  }

  get values() {
    if (this.#rows !== this.run.rowCount) this.#values = this.kind.compute(this.table, this.pair);
    this.#rows = this.run.rowCount;
    return this.#values;
  }
}

/** Where the samples of each pair are: found once for all pairs, and again when the run has grown. */
class PairTable {
  #rows = -1;
  #samples = new Map(); // pair → [[row, sample], …]

  constructor(run) {
    this.run = run;
  }

  #of(pair) {
    const { run } = this;
    if (this.#rows !== run.rowCount) {
      this.#rows = run.rowCount;
      this.#samples = new Map();
      const { starts, samples } = run.contacts;
      for (let row = 0; row < run.rowCount; row++) {
        for (let i = starts[row]; i < starts[row + 1]; i++) {
          const key = samples[stride * i];
          if (!this.#samples.has(key)) this.#samples.set(key, []);
          this.#samples.get(key).push([row, i]);
        }
      }
    }
    return this.#samples.get(pair) ?? [];
  }

  #read(what, i) {
    const { samples } = this.run.contacts, at = stride * i;
    return what === "depth" ? samples[at + 10] : Math.hypot(samples[at + 7], samples[at + 8], samples[at + 9]);
  }

  /** Of all samples of a pair at a row, which are 0 where nothing touches. */
  sum(pair, what) {
    const values = new Float32Array(this.run.rowCount);
    for (const [row, i] of this.#of(pair)) values[row] += this.#read(what, i);
    return values;
  }

  largest(pair, what) {
    const values = new Float32Array(this.run.rowCount);
    for (const [row, i] of this.#of(pair)) values[row] = Math.max(values[row], this.#read(what, i));
    return values;
  }

  /** What contacts that have ended took, and those that last have taken by now. A row at an end may have its sample still. */
  losses(pair) {
    const { run } = this, values = new Float32Array(run.rowCount), samples = this.#of(pair);
    const sampled = new Set(samples.map(([row]) => row));
    const near = 1e-6 * (run.stopTime - run.startTime);
    for (const { pair: own, end, dissipation } of run.contactList) {
      if (own !== pair || !Number.isFinite(end ?? NaN) || !Number.isFinite(dissipation ?? NaN)) continue;
      for (let row = run.rowBefore(end - near) + 1; row < values.length; row++) {
        if (run.timeAt(row) > end + near || !sampled.has(row)) values[row] += dissipation;
      }
    }
    for (const [row, i] of samples) {
      const loss = run.contacts.losses[i];
      if (Number.isFinite(loss)) values[row] += loss;
    }
    return values;
  }
}

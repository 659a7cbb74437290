// The simulator, wasm/carom.wasm, and all that it asks of its surroundings: a clock, and someone to tell how a run goes on.
// It runs in a worker of the page, and in Node for tests.

const endless = { begin() {}, progress: () => false };

export class Module {
  /** module: a compiled WebAssembly.Module. */
  static async open(module) {
    const opened = new Module();
    const instance = await WebAssembly.instantiate(module, opened.#imports());
    opened.exports = instance.exports;
    opened.exports._initialize();
    return opened;
  }

  constructor() {
    this.listener = endless; // of the run that goes on: begin(description, numbers), progress(time) → whether to stop
    this.encoder = new TextEncoder();
    this.decoder = new TextDecoder();
  }

  #imports() {
    let high = 0; // upper half of a number of 64 bits
    const refuse = () => 8; // WASI: no such file
    return {
      carom: {
        begin: () => this.listener.begin(JSON.parse(this.text()), this.numbers()),
        progress: (time) => (this.listener.progress(time) ? 1 : 0),
      },
      env: {
        getTempRet0: () => high,
        setTempRet0: (value) => { high = value; },
        emscripten_notify_memory_growth() {},
        __syscall_dup3: () => -8,
      },
      wasi_snapshot_preview1: {
        clock_time_get: (clock, precision, place) => {
          const now = clock === 0 ? Date.now() : performance.now();
          new DataView(this.exports.memory.buffer).setBigUint64(place, BigInt(Math.round(now * 1e6)), true);
          return 0;
        },
        proc_exit: (code) => { throw new Error(`the simulator has ended with ${code}`); },
        environ_sizes_get: (count, size) => this.#zero(count, size),
        environ_get: () => 0,
        fd_write: (file, parts, count, written) => {
          const view = new DataView(this.exports.memory.buffer);
          let total = 0; // what the libraries of others print goes nowhere
          for (let i = 0; i < count; i++) total += view.getUint32(parts + 8 * i + 4, true);
          view.setUint32(written, total, true);
          return 0;
        },
        fd_close: refuse, fd_seek: refuse, fd_read: refuse,
      },
    };
  }

  #zero(...places) {
    const view = new DataView(this.exports.memory.buffer);
    for (const place of places) view.setUint32(place, 0, true);
    return 0;
  }

  /** Copies bytes into the memory of the module, which owns them then. */
  #put(bytes) {
    const place = this.exports.allocate(bytes.length + 1);
    if (place === 0) throw new Error("the simulator is out of memory");
    const room = new Uint8Array(this.exports.memory.buffer, place, bytes.length + 1);
    room.set(bytes);
    room[bytes.length] = 0;
    return place;
  }

  /** What the last call has told. */
  text() {
    const { getText, getTextSize, memory } = this.exports;
    return this.decoder.decode(new Uint8Array(memory.buffer, getText(), getTextSize()));
  }

  numbers() {
    const { getNumbers, getNumberCount, memory } = this.exports;
    return new Float32Array(memory.buffer, getNumbers(), getNumberCount()).slice();
  }

  /** A file of the model, by its path; text or bytes. */
  setFile(path, content) {
    const bytes = typeof content === "string" ? this.encoder.encode(content) : content;
    if (!this.exports.setFile(this.#put(this.encoder.encode(path)), this.#put(bytes), bytes.length)) {
      throw new Error(`there is no room for the file ${path}`);
    }
  }

  /** Reads and compiles a model: { ok, messages, parameters, inputs, … }. settings: [[name, value], …] */
  open(path, settings = []) {
    const bytes = this.encoder.encode(settings.map(([name, value]) => `${name}\0${value}\0`).join(""));
    this.exports.open(this.#put(this.encoder.encode(path)), this.#put(bytes), bytes.length);
    return JSON.parse(this.text());
  }

  /** What runs are told other than the model says, from now on: [[name, value], …] */
  setOptions(options) {
    const bytes = this.encoder.encode(options.map(([name, value]) => `${name}\0${value}\0`).join(""));
    if (!this.exports.setOptions(this.#put(bytes), bytes.length)) throw new Error("the simulator does not know an option of this page");
  }

  /** Runs the model: "complete", "stopped", "failed", or "none" where there are no rows. */
  run(listener = endless) {
    this.listener = listener;
    const end = this.exports.run();
    this.listener = endless;
    return ["complete", "stopped", "failed", "none"][end];
  }

  messages() {
    this.exports.tellMessages();
    return JSON.parse(this.text()).messages;
  }

  /** The last run as a report has it: { description, numbers }. */
  describe() {
    if (!this.exports.describe()) throw new Error("the run cannot be described: out of memory");
    return { description: JSON.parse(this.text()), numbers: this.numbers() };
  }

  /** Rows of the run that goes on from byte `from`: per row the time and seven numbers for each body. */
  posesFrom(from) {
    const { getPoses, getPoseSize, memory } = this.exports;
    return new Float32Array(memory.buffer.slice(getPoses() + from, getPoses() + getPoseSize()));
  }

  /** Begins a session with the model that is open; `begin` gets the description of its start and the numbers. */
  liveStart(begin) {
    this.listener = { ...endless, begin };
    const isGood = this.exports.liveStart() !== 0;
    this.listener = endless;
    return isGood;
  }

  get liveInterval() {
    return this.exports.liveInterval();
  }

  /** Goes on by points of the grid; posesFrom(0) then has the time and the poses there. */
  liveStep(count) {
    return this.exports.liveStep(count) !== 0;
  }

  liveEnd() {
    this.exports.liveEnd();
  }

  /** Takes hold of an object at a point of it, in its axes. */
  grab(path, x, y, z) {
    return this.exports.liveGrab(this.#put(this.encoder.encode(path)), x, y, z) !== 0;
  }

  pull(x, y, z) {
    return this.exports.livePull(x, y, z) !== 0;
  }

  release() {
    return this.exports.liveRelease() !== 0;
  }

  setInput(path, value) {
    return this.exports.liveInput(this.#put(this.encoder.encode(path)), value) !== 0;
  }

  get rowCount() {
    return this.exports.countRows();
  }

  get columnCount() {
    return this.exports.countColumns();
  }

  /** All values of a column, those of time for -1. */
  column(index) {
    return new Float64Array(this.exports.memory.buffer, this.exports.getColumn(index), this.rowCount).slice();
  }
}

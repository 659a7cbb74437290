// The simulator as the page sees it: a worker that is asked for runs and sessions. Emits "model", "begin", "rows", "run",
// "pose", "csv", "failure" with what the worker says (worker.js), "busy" with whether it works, and "stopped".
//
// Of runs asked for while one goes on only the last counts. A run that takes long is ended for it, with its worker; another
// worker takes its place.
import { Emitter } from "./emitter.js";

const patience = 250; // [ms] that a run may go on when another one is asked for

export class Simulator extends Emitter {
  #worker = null;
  #waiting = null; // message to be sent when the worker is free
  #current = null; // what the worker does
  #since = 0; // [ms] when that began
  #timer = 0;

  /** module: the simulator, packed; files: [{ path, content }]; script: text of the worker; options: [[name, value], …]. */
  constructor(module, files, script, options = []) {
    super();
    this.module = module; // the compiled one, as soon as there is one
    this.files = files;
    this.options = options;
    this.address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.#open();
  }

  get isBusy() {
    return this.#current !== null;
  }

  /** The worker unpacks and compiles the simulator: the page has other things to do. What is asked for waits there. */
  #open() {
    const { module, files, options } = this;
    this.#worker = new Worker(this.address);
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => this.#hear({ kind: "failure", text: event.message });
    this.#worker.postMessage({ kind: "start", module, files, options });
    this.#current = null;
    this.#next();
  }

  #begin(message) {
    this.#note(message);
    this.#worker.postMessage(message);
  }

  /** What the worker does from now on. */
  #note(message) {
    this.#current = message;
    this.#since = performance.now();
    this.emit("busy", true);
  }

  /** Asks for something as soon as the worker is free, in place of what waits. */
  ask(message) {
    this.#waiting = message;
    if (!this.#current) return this.#next();
    clearTimeout(this.#timer);
    if (this.#current.kind === "run") this.#timer = setTimeout(() => this.#replace(), Math.max(0, patience - (performance.now() - this.#since)));
  }

  #next() {
    const message = this.#waiting;
    this.#waiting = null;
    if (message) this.#begin(message);
    else this.emit("busy", false);
  }

  #replace() {
    if (this.#waiting && this.#current?.kind === "run") this.#restart();
  }

  #restart() {
    clearTimeout(this.#timer);
    this.#worker.terminate();
    this.#open();
  }

  /** Ends what goes on. */
  cancel() {
    if (!this.#current) return;
    this.#waiting = null;
    this.#restart();
    this.emit("stopped");
  }

  #hear(message) {
    if (message.kind === "ready") this.module = message.module;
    const isLast = { opened: "open", run: this.#current?.kind, pose: this.#current?.kind, csv: "csv", failure: this.#current?.kind }[message.kind] !== undefined;
    if (isLast) this.#current = null;
    this.emit(message.kind, message);
    if (isLast && !this.#current) this.#next();
  }
}

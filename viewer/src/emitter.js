// Something that tells others when it changes.

export class Emitter {
  #listeners = new Map();

  /** Calls `listener` whenever `name` is emitted. */
  on(name, listener) {
    if (!this.#listeners.has(name)) this.#listeners.set(name, []);
    this.#listeners.get(name).push(listener);
  }

  emit(name, value) {
    for (const listener of this.#listeners.get(name) ?? []) listener(value);
  }
}

// The source of the model, to be edited: lines numbered, Lua coloured, lines with errors marked. Emits "change" with the text
// when nobody has typed for a moment.
import { element } from "./dom.js";
import { Emitter } from "./emitter.js";
import { colourLua } from "./model_page.js";

const rest = 350; // [ms] without a key until the text counts

export class Editor extends Emitter {
  #timer = 0;
  #faults = new Set();

  constructor(text, name) {
    super();
    this.isLua = /\.lua$/i.test(name);
    this.lines = element("pre", { class: "lines", "aria-hidden": "true" });
    this.code = element("code");
    this.area = element("textarea", { id: "source", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": `Source of ${name}`,
      oninput: () => this.#typed(), onkeydown: (event) => this.#key(event) });
    this.area.value = text;
    this.node = element("div", { class: "editor" }, this.lines, element("div", { class: "sheet" }, element("pre", { "aria-hidden": "true" }, this.code), this.area));
    this.#draw();
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.#typed();
  }

  #typed() {
    this.#draw();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.emit("change", this.text), rest);
  }

  #key(event) {
    event.stopPropagation();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      clearTimeout(this.#timer);
      this.emit("change", this.text);
    } else if (event.key === "Tab" && !event.shiftKey && !event.altKey && !event.ctrlKey) {
      event.preventDefault();
      this.area.setRangeText("  ", this.area.selectionStart, this.area.selectionEnd, "end");
      this.#typed();
    }
  }

  #draw() {
    const text = this.text;
    this.code.replaceChildren(...(this.isLua ? colourLua(text) : [text]), "\n");
    this.#drawLines();
  }

  #drawLines() {
    const count = this.text.split("\n").length;
    const numbers = Array.from({ length: count }, (_, i) => (this.#faults.has(i + 1) ? element("span", { class: "is-fault", text: i + 1 }) : String(i + 1)));
    this.lines.replaceChildren(...numbers.flatMap((number, i) => (i === 0 ? [number] : ["\n", number])));
  }

  /** Marks lines. */
  setFaults(lines) {
    this.#faults = new Set(lines);
    this.#drawLines();
  }

  /** Puts the cursor into a line. */
  goTo(line) {
    const before = this.text.split("\n").slice(0, line - 1);
    const place = before.reduce((sum, each) => sum + each.length + 1, 0);
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(place, place + (this.text.split("\n")[line - 1] ?? "").length);
    const height = this.node.scrollHeight / Math.max(1, this.text.split("\n").length + 1);
    this.node.scrollTop = Math.max(0, (line - 4) * height);
  }
}

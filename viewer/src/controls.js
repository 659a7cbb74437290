// Sliders and fields for numbers that can be changed: parameters of the model, and inputs of a session.
import { element } from "./dom.js";
import { shownUnit } from "./number_text.js";

const slots = 200; // of a slider

/** Where a slider goes: as the model says, else from 0 to twice the value, or from -1 to 1. */
export function rangeOf({ value, min, max }) {
  const low = Number.isFinite(min) ? min : value < 0 ? 2 * value : value === 0 && !Number.isFinite(max) ? -1 : 0;
  const high = Number.isFinite(max) ? max : value > 0 ? 2 * value : value === 0 ? 1 : 0;
  return low < high ? [low, high] : [Math.min(low, value), Math.max(low, value) + 1];
}

/** A step of 1, 2 or 5 times a power of ten that a slider of this range makes; 1 at least for whole numbers. */
export function stepOf([low, high], isWhole) {
  const raw = (high - low) / slots, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999);
  return isWhole ? Math.max(1, Math.round(step)) : step;
}

/** Is the default of a parameter written as a whole number above 1? So a slider of it takes whole steps. */
export function isWholeIn(source, name) {
  const match = new RegExp(`\\b${name.split(".").pop()}\\s*=\\s*(?:\\{[^}]*?\\bvalue\\s*=\\s*)?(-?\\d[\\w.]*)`).exec(source.replace(/--[^\n]*/g, ""));
  return match !== null && /^-?\d+$/.test(match[1]) && Math.abs(Number(match[1])) > 1;
}

/** One number, text or switch. `change` gets the new value as text. */
export class Control {
  constructor({ name, label, unit, value, min, max, isWhole = false }, change) {
    this.name = name;
    this.first = this.text = textOf(value);
    this.change = change;
    const id = `control-${name}`;
    const title = element("label", { for: id, title: label ? name : undefined, text: label ?? name }, shownUnit(unit) ? element("span", { class: "unit", text: unit }) : null);
    this.field = this.#makeField(id, value);
    this.slider = typeof value === "number" ? this.#makeSlider({ value, min, max, isWhole }) : null;
    this.node = element("div", { class: "control", data: { name } }, title, this.field, this.slider);
  }

  #makeField(id, value) {
    if (typeof value === "boolean") return element("input", { id, type: "checkbox", checked: value, onchange: () => this.#take(String(this.field.checked)) });
    const type = typeof value === "number" ? "number" : "text";
    return element("input", { id, type, step: "any", value: textOf(value), onchange: () => this.#take(this.field.value) });
  }

  #makeSlider(range) {
    const [low, high] = rangeOf(range), step = stepOf([low, high], range.isWhole);
    return element("input", { type: "range", min: low, max: high, step, value: range.value, "aria-label": this.name, oninput: () => {
      this.field.value = textOf(Number(Number(this.slider.value).toPrecision(12)));
      this.#take(this.field.value);
    } });
  }

  #take(text) {
    if (this.field.type === "number" && !Number.isFinite(parseFloat(text))) return;
    this.show(text);
    this.change(this.name, text);
  }

  /** Shows a value without telling anyone. */
  show(text) {
    this.text = text;
    if (this.field.type === "checkbox") this.field.checked = text === "true";
    else this.field.value = text;
    if (this.slider) this.slider.value = Number(text);
    this.node.classList.toggle("is-changed", this.isChanged);
  }

  get isChanged() {
    return this.text !== this.first;
  }

  reset() {
    this.show(this.first);
  }
}

function textOf(value) {
  return typeof value === "string" ? value : String(value);
}

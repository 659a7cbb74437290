// An x–y plot: signals over another signal, with a dot where the animation is. The first signal is x.
import { element, iconButton, nameText } from "./dom.js";
import { blobOf, csvText, download } from "./download.js";
import { niceNumber } from "./floor.js";
import { formatNumber, formatUnit, shownUnit } from "./number_text.js";
import { curveColors } from "./plot.js";
import { cssColor } from "./theme.js";

const height = 250; // [px]
const margin = { left: 58, right: 14, top: 10, bottom: 40 }; // [px]

export class XyPlot {
  /** `board` gives run, clock, shownRange, remove and pick. */
  constructor(board) {
    this.board = board;
    this.variables = []; // x, then what is over it
    this.legend = element("ul", { class: "legend" });
    this.canvas = element("canvas", { class: "xy" });
    this.dots = element("canvas", { class: "xy" });
    this.body = element("div", { class: "curves xy-body" }, this.canvas, this.dots);
    this.node = element("figure", { class: "plot", role: "group", "aria-label": "x–y plot", onpointerdown: () => board.activate(this) },
      element("figcaption", {}, this.legend), element("div", { class: "plot-body" }, this.body, this.#buildTools()));
  }

  #buildTools() {
    const { board } = this;
    const word = (text, action) => element("button", { type: "button", class: `tool word ${text.toLowerCase()}`, "aria-label": `Download as ${text}`, title: `Download as ${text}`, text, onclick: action });
    return element("div", { class: "plot-tools" }, iconButton("plus", "Add a signal", () => board.pick(this), { class: "tool add" }),
      word("CSV", () => download(new Blob([this.csv()], { type: "text/csv" }), `${board.run.title}.csv`)),
      word("PNG", () => download(blobOf(this.png()), `${board.run.title}.png`)),
      iconButton("close", "Remove this plot", () => board.remove(this)));
  }

  get over() {
    return this.variables.slice(1);
  }

  /** Signals over x share a unit. */
  takes(variable) {
    return this.over.length === 0 || (this.over[0].unit ?? "") === (variable.unit ?? "");
  }

  add(variable) {
    if (this.variables.includes(variable) || !this.takes(variable)) return false;
    this.variables.push(variable);
    this.rebuild();
    return true;
  }

  drop(variable) {
    this.variables = this.variables.filter((other) => other !== variable);
    this.rebuild();
  }

  rebuild() {
    this.#fillLegend();
    this.#draw();
  }

  #fillLegend() {
    this.values = this.variables.map(() => element("span", { class: "value" }));
    this.legend.replaceChildren(...this.variables.map((variable, i) => element("li", { title: variable.description || variable.name },
      element("span", { class: i === 0 ? "axis-mark" : "swatch", text: i === 0 ? "x" : "" }), nameText(variable.name, { class: "signal" }), this.values[i],
      element("span", { class: "unit quiet", text: shownUnit(variable.unit) }),
      element("button", { type: "button", class: "drop", "aria-label": `Remove ${variable.name}`, text: "×", onclick: () => this.drop(variable) }))));
    this.legend.querySelectorAll(".swatch").forEach((swatch, i) => { swatch.style.background = curveColors[i % curveColors.length]; });
    if (this.variables.length < 2) this.legend.append(element("li", { class: "quiet", text: `Press + for the signal ${this.variables.length === 0 ? "along x" : "over it"}` }));
  }

  /** Rows that are shown: those in the range of the board. */
  #rows() {
    const { run, shownRange } = this.board;
    return [Math.max(0, run.rowBefore(shownRange[0])), Math.max(0, run.rowBefore(shownRange[1]))];
  }

  #draw() {
    const { canvas, dots } = this, ratio = window.devicePixelRatio || 1;
    this.width = Math.max(120, this.body.clientWidth || 400);
    for (const each of [canvas, dots]) {
      Object.assign(each, { width: Math.round(this.width * ratio), height: Math.round(height * ratio) });
      each.style.width = `${this.width}px`;
      each.style.height = `${height}px`;
    }
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    if (this.variables.length > 1) {
      this.#findScales();
      this.#drawAxes(pen);
      this.#drawCurves(pen);
    } else {
      this.scale = null;
    }
    this.showTime(this.board.clock.time);
  }

  /** Scales that show all; the same for both where the units are, so that a circle is one. */
  #findScales() {
    const [first, last] = this.#rows();
    const x = extent([this.variables[0].values], first, last), y = extent(this.over.map(({ values }) => values), first, last);
    const size = [this.width - margin.left - margin.right, height - margin.top - margin.bottom];
    let perX = (x[1] - x[0]) / size[0], perY = (y[1] - y[0]) / size[1];
    if ((this.variables[0].unit ?? "") === (this.over[0].unit ?? "")) perX = perY = Math.max(perX, perY);
    const middle = [margin.left + size[0] / 2, margin.top + size[1] / 2];
    this.scale = {
      x: (value) => middle[0] + (value - (x[0] + x[1]) / 2) / perX, y: (value) => middle[1] - (value - (y[0] + y[1]) / 2) / perY,
      rangeX: [(x[0] + x[1]) / 2 - (perX * size[0]) / 2, (x[0] + x[1]) / 2 + (perX * size[0]) / 2],
      rangeY: [(y[0] + y[1]) / 2 - (perY * size[1]) / 2, (y[0] + y[1]) / 2 + (perY * size[1]) / 2],
    };
  }

  #drawAxes(pen) {
    const { scale, width } = this;
    pen.font = "11px system-ui, sans-serif";
    pen.strokeStyle = cssColor("--line");
    pen.fillStyle = cssColor("--quiet");
    pen.textAlign = "center";
    for (const value of ticks(scale.rangeX, (width - margin.left - margin.right) / 70)) {
      line(pen, scale.x(value), margin.top, scale.x(value), height - margin.bottom);
      pen.fillText(formatNumber(value), scale.x(value), height - margin.bottom + 14);
    }
    pen.fillText(`${shortName(this.variables[0].name)} ${formatUnit(this.variables[0].unit)}`, (margin.left + width - margin.right) / 2, height - 8);
    pen.textAlign = "right";
    for (const value of ticks(scale.rangeY, 5)) {
      line(pen, margin.left, scale.y(value), width - margin.right, scale.y(value));
      pen.fillText(formatNumber(value), margin.left - 5, scale.y(value) + 4);
    }
    pen.save();
    pen.translate(12, (margin.top + height - margin.bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText(formatUnit(this.over[0].unit), 0, 0);
    pen.restore();
  }

  #drawCurves(pen) {
    const [first, last] = this.#rows(), { scale } = this, x = this.variables[0].values;
    pen.lineWidth = 1.6;
    pen.lineJoin = "round";
    this.over.forEach(({ values }, k) => {
      pen.strokeStyle = curveColors[k % curveColors.length];
      pen.beginPath();
      let isDown = false;
      for (let row = first; row <= last; row++) {
        const isThere = Number.isFinite(x[row]) && Number.isFinite(values[row]);
        if (isThere) isDown ? pen.lineTo(scale.x(x[row]), scale.y(values[row])) : pen.moveTo(scale.x(x[row]), scale.y(values[row]));
        isDown = isThere;
      }
      pen.stroke();
    });
  }

  /** Puts the dots where the signals are at a time. */
  showTime(time) {
    const { run } = this.board, now = this.variables.map((variable) => run.valueAt(variable, time));
    now.forEach((value, i) => { this.values[i].textContent = formatNumber(value); });
    const pen = this.dots.getContext("2d"), ratio = window.devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.dots.width, this.dots.height);
    this.spots = this.scale ? now.slice(1).map((value) => [this.scale.x(now[0]), this.scale.y(value)]) : []; // [px]
    this.spots.forEach(([x, y], k) => {
      pen.beginPath();
      pen.arc(x, y, 5, 0, 2 * Math.PI);
      pen.fillStyle = curveColors[k % curveColors.length];
      pen.fill();
      pen.strokeStyle = cssColor("--now");
      pen.lineWidth = 2;
      pen.stroke();
    });
  }

  showRange() {
    this.#draw();
  }

  refresh() {
    this.#draw();
  }

  fit() {
    if (this.body.clientWidth > 0 && this.body.clientWidth !== this.width) this.#draw();
  }

  csv() {
    const label = ({ name, unit }) => (unit && unit !== "1" ? `${name} [${unit}]` : name);
    return csvText(["time [s]", ...this.variables.map(label)], [this.board.run.times, ...this.variables.map(({ values }) => values)]);
  }

  png() {
    const canvas = element("canvas", { width: this.canvas.width, height: this.canvas.height }), pen = canvas.getContext("2d");
    pen.fillStyle = cssColor("--surface");
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(this.canvas, 0, 0);
    pen.drawImage(this.dots, 0, 0);
    return canvas.toDataURL("image/png");
  }

  destroy() {
    this.node.remove();
  }
}

/** Least and largest of these rows, with a little air. */
function extent(lists, first, last) {
  let low = Infinity, high = -Infinity;
  for (const values of lists) {
    for (let row = first; row <= last; row++) {
      if (values[row] < low) low = values[row];
      if (values[row] > high) high = values[row];
    }
  }
  if (!(low <= high)) return [0, 1];
  const air = 0.05 * (high - low) || 0.1 * Math.abs(high) || 1;
  return [low - air, high + air];
}

/** About so many round numbers in a range. */
function ticks([low, high], wanted) {
  const step = niceNumber((high - low) / Math.max(2, wanted)), first = Math.ceil(low / step), last = Math.floor(high / step);
  return Array.from({ length: Math.max(0, Math.min(50, last - first + 1)) }, (_, i) => (first + i) * step);
}

function line(pen, x0, y0, x1, y1) {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

function shortName(name) {
  return name.length > 40 ? `…${name.slice(-38)}` : name;
}

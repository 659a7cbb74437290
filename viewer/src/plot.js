// A plot: curves of signals over time, with the time of the animation as a line that can be dragged. Signals of up to two
// units share a plot, one axis at either side.
import uPlot from "uplot";
import { element, iconButton, nameText } from "./dom.js";
import { blobOf, csvText, download } from "./download.js";
import { formatNumber, formatUnit, shownUnit } from "./number_text.js";
import { cssColor } from "./theme.js";

/** Colours of curves, in their order. */
export const curveColors = ["#1f77d0", "#e0571a", "#20a05a", "#b04fd0", "#d8a200", "#00a3b4", "#d6336c", "#6b7280"];
const maxEventLines = 60; // more are drawn as ticks at the bottom
const height = 190; // [px]

export class Plot {
  #isDragging = false;
  #zoomFrom = null;

  /** `board` gives run, clock, range [s, s] and setRange, remove and pick. */
  constructor(board) {
    this.board = board;
    this.variables = [];
    this.colorOf = new Map();
    this.legend = element("ul", { class: "legend" });
    this.body = element("div", { class: "curves" });
    this.tip = element("div", { class: "tip", hidden: true });
    this.line = element("div", { class: "now-line", "aria-hidden": "true" });
    this.node = element("figure", { class: "plot", role: "group", "aria-label": "Plot", onpointerdown: () => board.activate(this) },
      element("figcaption", {}, this.legend), element("div", { class: "plot-body" }, this.body, this.#buildTools()));
  }

  #buildTools() {
    const { board } = this;
    return element("div", { class: "plot-tools" },
      iconButton("plus", "Add a signal", () => board.pick(this), { class: "tool add" }),
      iconButton("zoomIn", "Zoom in around the time shown", () => board.zoom(0.5)),
      iconButton("zoomAll", "Show all of the run", () => board.setRange(null)),
      element("button", { type: "button", class: "tool word csv", "aria-label": "Download as CSV", title: "Download as CSV", text: "CSV", onclick: () => this.downloadCsv() }),
      element("button", { type: "button", class: "tool word png", "aria-label": "Download as PNG", title: "Download as PNG", text: "PNG", onclick: () => this.downloadPng() }),
      iconButton("close", "Remove this plot", () => board.remove(this)));
  }

  get units() {
    return [...new Set(this.variables.map((variable) => variable.unit ?? ""))];
  }

  /** Can a variable be shown here, next to those that are? */
  takes(variable) {
    return this.units.includes(variable.unit ?? "") || this.units.length < 2;
  }

  add(variable) {
    if (this.variables.includes(variable) || !this.takes(variable)) return false;
    this.variables.push(variable);
    const used = new Set(this.colorOf.values());
    this.colorOf.set(variable, curveColors.find((color) => !used.has(color)) ?? curveColors[this.variables.length % curveColors.length]);
    this.rebuild();
    return true;
  }

  drop(variable) {
    this.variables = this.variables.filter((other) => other !== variable);
    this.colorOf.delete(variable);
    this.rebuild();
  }

  /** Makes the curves anew: after a change of signals, theme or size. */
  rebuild() {
    this.chart?.destroy();
    this.#fillLegend();
    this.chart = new uPlot(this.#options(), this.#data(), this.body);
    this.chart.over.append(this.line, this.tip);
    this.#listen(this.chart.over);
    this.showTime(this.board.clock.time);
  }

  /** What other runs have of the signals: { variable, own, run, dash }, `own` being the other run's. */
  get overlaid() {
    return this.board.overlays.filter(({ isShown }) => isShown).flatMap(({ run, dash }) => this.variables
      .map((variable) => ({ variable, own: run.variableOf.get(variable.name), run, dash })).filter(({ own }) => own));
  }

  /** Times and values, as uPlot takes them. With other runs: at the times of all of them. */
  #data() {
    const { run } = this.board, { overlaid } = this;
    if (overlaid.length === 0) return [run.times, ...this.variables.map((variable) => gapped(variable.values))];
    const times = Float64Array.from(new Set([run, ...overlaid.map((each) => each.run)].flatMap((each) => Array.from(each.times)))).sort();
    const at = (owner, variable) => Array.from(times, (time) => {
      const value = time < owner.startTime || time > owner.stopTime ? NaN : owner.valueAt(variable, time);
      return Number.isNaN(value) ? null : value;
    });
    return [times, ...this.variables.map((variable) => at(run, variable)), ...overlaid.map(({ run: owner, own }) => at(owner, own))];
  }

  /** Draws what a run has got since. */
  refresh() {
    this.chart?.setData(this.#data());
  }

  #options() {
    const scales = { x: { time: false, range: () => this.board.shownRange } };
    const series = [{}, ...this.variables.map((variable) => {
      const scale = `y ${variable.unit ?? ""}`;
      scales[scale] = { auto: true, range: paddedRange };
      return { label: variable.name, scale, stroke: this.colorOf.get(variable), width: 1.75, points: { show: false }, pxAlign: 0 };
    }), ...this.overlaid.map(({ variable, run, dash }) => ({
      label: `${variable.name} of ${run.name}`, scale: `y ${variable.unit ?? ""}`, stroke: this.colorOf.get(variable), width: 1.4, dash, points: { show: false }, pxAlign: 0,
    }))];
    return {
      width: Math.max(120, this.body.clientWidth || 400), height, scales, series,
      padding: [10, this.units.length > 1 ? 0 : 14, 0, 0],
      axes: [axis({ scale: "x", size: 30, values: (_, ticks) => ticks.map((t, i) => formatTick(t, ticks) + (i === ticks.length - 1 ? " s" : "")) }), ...this.#valueAxes()],
      legend: { show: false },
      cursor: { drag: { x: false, y: false, setScale: false }, y: false, points: { size: 6 } },
      hooks: { draw: [(chart) => this.#drawEvents(chart), () => this.showTime(this.board.clock.time)], setCursor: [(chart) => this.#showTip(chart)] },
    };
  }

  #valueAxes() {
    const units = this.units.length > 0 ? this.units : [""];
    return units.map((unit, i) => axis({
      scale: `y ${unit}`, side: i === 0 ? 3 : 1, label: formatUnit(unit) || undefined, labelSize: 18, size: 52,
      grid: i === 0 ? undefined : { show: false },
      values: (_, ticks) => ticks.map((value) => (value === null ? "" : formatNumber(value))),
    }));
  }

  #fillLegend() {
    this.values = this.variables.map(() => element("span", { class: "value" }));
    this.legend.replaceChildren(...this.variables.map((variable, i) => element("li", { title: variable.description || variable.name },
      element("span", { class: "swatch" }),
      nameText(variable.name, { class: "signal" }),
      this.values[i],
      element("span", { class: "unit quiet", text: shownUnit(variable.unit) }),
      element("button", { type: "button", class: "drop", "aria-label": `Remove ${variable.name}`, text: "×", onclick: () => this.drop(variable) }))));
    this.legend.querySelectorAll(".swatch").forEach((swatch, i) => { swatch.style.background = this.colorOf.get(this.variables[i]); });
    if (this.variables.length === 0) this.legend.append(element("li", { class: "quiet", text: "No signal yet: press + or click an object" }));
  }

  #drawEvents(chart) {
    const { ctx, bbox } = chart, { events } = this.board.run;
    const ratio = window.devicePixelRatio || 1;
    ctx.save();
    ctx.fillStyle = cssColor("--event");
    ctx.globalAlpha = events.length > maxEventLines ? 0.35 : 0.5;
    const top = events.length > maxEventLines ? bbox.top + bbox.height - 5 * ratio : bbox.top;
    for (const event of events) {
      const x = Math.round(chart.valToPos(event.time, "x", true));
      if (x >= bbox.left && x <= bbox.left + bbox.width) ctx.fillRect(x, top, Math.max(1, 0.75 * ratio), bbox.top + bbox.height - top);
    }
    ctx.restore();
  }

  /** Moves the line to a time, and shows the values there. */
  showTime(time) {
    if (!this.chart) return;
    const x = this.chart.valToPos(time, "x");
    this.line.hidden = !(x >= -1 && x <= this.chart.over.clientWidth + 1);
    this.line.style.transform = `translateX(${x.toFixed(2)}px)`;
    this.variables.forEach((variable, i) => {
      const text = formatNumber(this.board.run.valueAt(variable, time));
      if (this.values[i].textContent !== text) this.values[i].textContent = text;
    });
  }

  /** Redraws with the range of the board. */
  showRange() {
    const [min, max] = this.board.shownRange;
    this.chart?.setScale("x", { min, max }); // draws, and then shows the time
  }

  fit() {
    const width = this.body.clientWidth;
    if (!this.chart || width <= 0 || width === this.chart.width) return;
    this.chart.setSize({ width, height });
    this.showTime(this.board.clock.time);
  }

  #showTip(chart) {
    const { left } = chart.cursor;
    const isShown = left >= 0 && !this.#isDragging && this.variables.length > 0;
    this.tip.hidden = !isShown;
    if (!isShown) return;
    const time = chart.posToVal(left, "x");
    this.tip.replaceChildren(element("b", { text: `${formatNumber(time)} s` }), ...this.variables.slice(0, 8).map((variable) => {
      const row = element("span", { text: `${formatNumber(this.board.run.valueAt(variable, time))} ${shownUnit(variable.unit)}` });
      row.style.color = this.colorOf.get(variable);
      return row;
    }), ...this.overlaid.slice(0, 8).map(({ variable, own, run }) => {
      const row = element("span", { text: `${run.name}: ${formatNumber(run.valueAt(own, time))} ${shownUnit(own.unit)}` });
      row.style.color = this.colorOf.get(variable);
      return row;
    }));
    const isRight = left > chart.over.clientWidth / 2;
    this.tip.style.transform = `translateX(${isRight ? left - 10 : left + 10}px)${isRight ? " translateX(-100%)" : ""}`;
  }

  // ------------------------------------------------------------------------------------------------ pointer and zoom

  #listen(over) {
    over.addEventListener("pointerdown", (event) => this.#press(event));
    over.addEventListener("pointermove", (event) => this.#drag(event));
    over.addEventListener("pointerup", (event) => this.#release(event));
    over.addEventListener("pointercancel", () => this.#forget());
    over.addEventListener("dblclick", () => this.board.setRange(null));
    over.addEventListener("wheel", (event) => this.#roll(event), { passive: false });
  }

  #timeOf(event) {
    return this.chart.posToVal(event.clientX - this.chart.over.getBoundingClientRect().left, "x");
  }

  #press(event) {
    if (event.button !== 0) return;
    this.chart.over.setPointerCapture(event.pointerId);
    this.#isDragging = true;
    this.tip.hidden = true;
    if (event.shiftKey) this.#zoomFrom = this.#timeOf(event);
    else this.board.scrub(this.#timeOf(event));
  }

  #drag(event) {
    if (!this.#isDragging) return;
    if (this.#zoomFrom === null) return this.board.scrub(this.#timeOf(event));
    const a = this.chart.valToPos(this.#zoomFrom, "x"), b = event.clientX - this.chart.over.getBoundingClientRect().left;
    this.chart.setSelect({ left: Math.min(a, b), width: Math.abs(b - a), top: 0, height: this.chart.over.clientHeight }, false);
  }

  #release(event) {
    if (this.#zoomFrom !== null) {
      const range = [this.#zoomFrom, this.#timeOf(event)].sort((a, b) => a - b);
      this.chart.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      if (range[1] - range[0] > 0) this.board.setRange(range);
    }
    this.#forget();
  }

  #forget() {
    this.#isDragging = false;
    this.#zoomFrom = null;
  }

  /** Ctrl and wheel, or two fingers on a touchpad; the wheel alone scrolls the page. */
  #roll(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.board.zoom(Math.exp(event.deltaY * 0.004), this.#timeOf(event));
  }

  // ------------------------------------------------------------------------------------------------------- downloads

  /** All output points of the signals. */
  csv() {
    const label = (variable) => (variable.unit && variable.unit !== "1" ? `${variable.name} [${variable.unit}]` : variable.name);
    const others = this.overlaid.map(({ variable, run }) => `${run.name}: ${label(variable)}`);
    return csvText(["time [s]", ...this.variables.map(label), ...others], this.#data());
  }

  downloadCsv() {
    download(new Blob([this.csv()], { type: "text/csv" }), `${this.board.run.title}.csv`);
  }

  /** The curves with their names above, as a data URL. */
  png() {
    const source = this.chart.ctx.canvas, ratio = window.devicePixelRatio || 1;
    const rows = Math.max(1, this.variables.length), line = 18 * ratio, top = rows * line + 14 * ratio;
    const canvas = element("canvas", { width: source.width, height: source.height + top });
    const pen = canvas.getContext("2d");
    pen.fillStyle = cssColor("--surface");
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(source, 0, top);
    pen.font = `${13 * ratio}px system-ui, sans-serif`;
    this.variables.forEach((variable, i) => {
      const y = 10 * ratio + (i + 0.5) * line;
      pen.fillStyle = this.colorOf.get(variable);
      pen.fillRect(14 * ratio, y - 1.5 * ratio, 18 * ratio, 3 * ratio);
      pen.fillStyle = cssColor("--text");
      pen.fillText(`${variable.name} ${formatUnit(variable.unit)}`, 40 * ratio, y + 4.5 * ratio);
    });
    return canvas.toDataURL("image/png");
  }

  downloadPng() {
    download(blobOf(this.png()), `${this.board.run.title}.png`);
  }

  destroy() {
    this.chart?.destroy();
    this.node.remove();
  }
}

/** uPlot breaks a curve at null, not at NaN. */
function gapped(values) {
  return values.some(Number.isNaN) ? Array.from(values, (x) => (Number.isNaN(x) ? null : x)) : values;
}

/** A little air above and below; a constant is drawn in the middle. */
function paddedRange(_, low, high) {
  if (low === null || high === null) return [0, 1];
  const span = high - low || Math.abs(high) * 0.2 || 1;
  return high === low ? [low - span / 2, high + span / 2] : [low - 0.06 * span, high + 0.06 * span];
}

function axis(properties) {
  const line = { stroke: () => cssColor("--line"), width: 1 };
  return {
    stroke: () => cssColor("--quiet"), font: "11px system-ui, sans-serif", labelFont: "11px system-ui, sans-serif", gap: 4,
    ...properties, grid: { ...line, ...properties.grid }, ticks: { ...line, size: 4 },
  };
}

/** As many decimals as the distance of the ticks needs. */
function formatTick(t, ticks) {
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : 1;
  return t.toFixed(Math.max(0, Math.min(9, Math.ceil(-Math.log10(step) - 1e-9))));
}

// The board of plots: they share the range of time, the line of the animation and the events.
import { element, icon } from "./dom.js";
import { Plot } from "./plot.js";
import { SignalPicker } from "./signal_picker.js";
import { suggestPlots } from "./suggestion.js";
import { XyPlot } from "./xy_plot.js";

const shortestRange = 1e-5; // [1] of the run: the deepest zoom

export class PlotBoard {
  /** `overlays`: other runs, whose signals of the same names are drawn with those of this one. */
  constructor(run, clock, theme, overlays = []) {
    this.run = run;
    this.clock = clock;
    this.overlays = overlays;
    this.range = null; // [s, s], or null: all of the run
    this.plots = [];
    this.active = null;
    this.picker = new SignalPicker(run, this);
    this.list = element("div", { class: "plots" });
    this.nothing = element("p", { class: "quiet", text: "Nothing that was recorded changes.", hidden: true });
    clock.on("time", () => this.#showTime());
    theme.on("change", () => this.rebuild());
  }

  /** Puts the board into its page, with plots that tell something of any run. */
  build(place) {
    const add = element("button", { type: "button", id: "add-plot", class: "wide", onclick: () => this.pick(this.addPlot()) }, icon("plus"), "New plot");
    const addXy = element("button", { type: "button", id: "add-xy", class: "wide", title: "A signal over another one", onclick: () => this.pick(this.addPlot([], XyPlot)) }, icon("plus"), "New x–y plot");
    place.append(this.list, this.nothing, element("div", { class: "add-plots" }, add, addXy),
      element("p", { class: "quiet hint", text: "Drag in a plot to move through time. Shift and drag to zoom, Ctrl and wheel too; double-click to see all." }));
    this.#suggest();
    new ResizeObserver(() => this.plots.forEach((plot) => plot.fit())).observe(this.list);
  }

  /** Draws what a run has got since. */
  refresh() {
    if (this.plots.length > 0 && !this.hasSuggested && this.run.rowCount > 1) this.#suggest();
    for (const plot of this.plots) plot.refresh();
  }

  /** The plots that the page opens with; with one row nothing has moved yet. */
  #suggest() {
    for (const plot of [...this.plots]) this.remove(plot);
    const suggested = suggestPlots(this.run);
    for (const variables of suggested) this.addPlot(variables);
    this.nothing.hidden = suggested.length > 0;
    this.hasSuggested = this.run.live === null || this.run.rowCount > 20;
  }

  /** Draws all plots anew, after other runs were switched on or off. */
  rebuild() {
    for (const plot of this.plots) plot.rebuild();
  }

  addPlot(variables = [], Kind = Plot) {
    const plot = new Kind(this);
    this.plots.push(plot);
    this.list.append(plot.node);
    plot.rebuild();
    for (const variable of variables) plot.add(variable);
    this.activate(plot);
    return plot;
  }

  remove(plot) {
    plot.destroy();
    this.plots = this.plots.filter((other) => other !== plot);
    if (this.active === plot) this.activate(this.plots.at(-1) ?? null);
  }

  /** The plot that the next signal goes to. */
  activate(plot) {
    this.active = plot;
    for (const other of this.plots) other.node.classList.toggle("is-active", other === plot);
  }

  /** Shows a signal in the active plot, or in a new one where it does not fit. */
  add(variable) {
    const plot = this.active?.takes(variable) ? this.active : this.plots.find((other) => other.takes(variable));
    if (plot) plot.add(variable);
    else this.addPlot([variable]);
  }

  /** Shows a signal, or takes it away where it is shown. */
  toggle(variable) {
    const plot = this.plots.find((other) => other.variables.includes(variable));
    if (plot) plot.drop(variable);
    else this.add(variable);
  }

  shows(variable) {
    return this.plots.some((plot) => plot.variables.includes(variable));
  }

  /** Lets signals be chosen for a plot. */
  pick(plot) {
    this.hasSuggested = true; // from now on plots are somebody's own
    this.activate(plot);
    this.picker.open();
  }

  scrub(time) {
    this.clock.pause();
    this.clock.setTime(time);
  }

  /** What the plots show [s, s]. */
  get shownRange() {
    const { start, stop } = this.clock;
    return this.range ?? (stop > start ? [start, stop] : [start - 0.5, start + 0.5]);
  }

  setRange(range) {
    const { start, stop } = this.clock;
    const isAll = !range || (range[0] <= start && range[1] >= stop);
    this.range = isAll ? null : [Math.max(start, range[0]), Math.min(stop, range[1])];
    for (const plot of this.plots) plot.showRange();
  }

  /** Narrows (factor below 1) or widens the range about a time. */
  zoom(factor, time = this.clock.time) {
    const { start, stop } = this.clock, [low, high] = this.range ?? [start, stop];
    if ((high - low) * factor < shortestRange * (stop - start)) return;
    this.setRange([time - (time - low) * factor, time + (high - time) * factor]);
  }

  #showTime() {
    const { time } = this.clock;
    if (this.range && this.clock.isPlaying && (time < this.range[0] || time > this.range[1])) this.#turnPage(time);
    for (const plot of this.plots) plot.showTime(time);
  }

  /** While playing, a zoomed range moves on when the line leaves it. */
  #turnPage(time) {
    const width = this.range[1] - this.range[0];
    this.setRange([time, time + width]);
  }
}

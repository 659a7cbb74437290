// The page that simulates: the model, the simulator and the viewer. Whatever is changed, parameters or the source, is run anew
// in a worker, while the animation goes on with the last good run.
import { byId, element, iconButton } from "./dom.js";
import { Clock, speedFor } from "./clock.js";
import { Controls } from "./play_page.js";
import { Editor } from "./editor.js";
import { Emitter } from "./emitter.js";
import { HoverLabel } from "./hover.js";
import { Session } from "./session.js";
import { Motion } from "./motion.js";
import { ObjectCard } from "./card.js";
import { ObjectTree } from "./tree.js";
import { Panel, makeDivider } from "./panel.js";
import { PartialRun } from "./partial_run.js";
import { PlotBoard } from "./plot_board.js";
import { Run, readRun } from "./run.js";
import { Simulator } from "./simulator.js";
import { Stage, openRenderer } from "./stage.js";
import { Theme } from "./theme.js";
import { Transport } from "./transport.js";
import { ViewMenus } from "./menu.js";
import { buildContacts } from "./contact_page.js";
import { buildModel } from "./model_page.js";
import { buildHelp, listenToKeys, shortcuts } from "./keys.js";
import { buildStatistics } from "./statistics_page.js";
import { count, formatNumber } from "./number_text.js";
import { decodeBase64 } from "./unpack.js";
import { pageText } from "./save_page.js";
import { readAddress } from "./automation.js";

const longestFrame = 0.1; // [s] after a pause of the browser, the animation goes on, it does not jump
const longRun = 250; // [ms] after which a run is shown as far as it has come; the first one at once
const rebuildDelay = 250; // [ms] behind the last run, until plots and tables follow

/**
 * What the writer of the page put into it: { title, path, files: [{ path, text or base64 }], settings, options }. A report has a
 * run as well, which is shown before there is a simulator.
 */
async function readPage() {
  const text = byId("carom-model").textContent;
  if (text.startsWith("@")) throw new Error("This page is the empty template: no model has been written into it.");
  const model = JSON.parse(text);
  const given = byId("carom-run").textContent === "" ? null : await readRun();
  const module = byId("carom-module").textContent;
  const files = model.files.map(({ path, text: content, base64 }) => ({ path, content: content ?? decodeBase64(base64) }));
  return { model, module, files, given, script: byId("carom-worker").textContent };
}

/** Stands for something that tells of changes, for those that are made anew for each run: they are forgotten with it. */
class Relay extends Emitter {
  constructor(source) {
    super();
    const relay = this;
    this.proxy = new Proxy(source, {
      get: (target, name) => {
        if (name === "on") return relay.on.bind(relay);
        const value = target[name];
        return typeof value === "function" ? value.bind(target) : value;
      },
      set: (target, name, value) => Reflect.set(target, name, value),
    });
  }
}

class PlayPage {
  #timer = 0;
  #partial = null; // the run that goes on
  #since = 0;

  constructor({ model, module, files, given, script }) {
    this.model = model;
    this.given = given;
    this.address = readAddress();
    this.theme = new Theme(this.address.get("theme"));
    this.settings = new Map(Object.entries(model.settings ?? {}));
    this.file = files.find(({ path }) => path === model.path);
    this.source = this.file.content;
    this.runCount = 0; // results shown so far
    this.cost = {}; // [s] of the last run: in the simulator, from the change to the first picture of the motion, and to the whole
    document.title = `${model.title} – Carom`;
    byId("title").textContent = model.title;
    this.simulator = new Simulator(module, files, script, Object.entries(model.options ?? {}));
    this.editor = new Editor(this.source, model.path);
    this.controls = new Controls(this);
    this.live = new Session(this);
    this.#listen();
    if (!given) this.simulate(); // the worker works while this page is built
    this.#buildFrame();
    this.drawing = openRenderer();
    if (given) this.#showGiven(given);
  }

  #listen() {
    const { simulator, editor } = this;
    simulator.on("model", ({ model }) => this.#showModel(model));
    simulator.on("begin", (message) => {
      this.#partial = new PartialRun(message);
      if (!this.stage) this.#show(this.#partial.run, true); // the start, before anything moves
    });
    simulator.on("rows", (message) => this.#showRows(message));
    simulator.on("run", (message) => this.#showResult(message));
    simulator.on("stopped", () => this.#showIdle("stopped"));
    simulator.on("failure", ({ text }) => this.#fail(text));
    simulator.on("csv", ({ text }) => this.controls.saveText(text, `${this.model.title}.csv`, "text/csv"));
    editor.on("change", (text) => {
      if (text === this.source) return;
      this.source = text;
      this.simulate();
    });
  }

  #buildFrame() {
    const view = byId("view");
    this.note = element("div", { class: "work-note", hidden: true }, element("span", { text: "simulating" }), element("progress", { max: 1, value: 0 }),
      element("button", { type: "button", id: "cancel", text: "Cancel", onclick: () => this.simulator.cancel() }));
    this.fault = element("button", { type: "button", class: "fault-note", hidden: true, onclick: () => this.panel.show("source") });
    view.append(element("div", { class: "news" }, this.note, this.fault));
    this.panel = new Panel(byId("panel"), [
      { id: "model", name: "Play", build: (place) => this.controls.build(place) },
      { id: "source", name: "Source", build: (place) => this.#buildSource(place) },
      { id: "plots", name: "Plots", ofRun: true, build: (place) => this.#buildPlots(place) },
      { id: "objects", name: "Objects", ofRun: true, build: (place) => this.tree?.build(place) },
      { id: "contacts", name: "Contacts", ofRun: true, build: (place) => this.run && buildContacts(this.run, this.clockRelay.proxy, this.board, (...to) => this.#go(...to), place) },
      { id: "statistics", name: "Statistics", ofRun: true, build: (place) => this.run && buildStatistics(this.run, place) },
      this.given && { id: "about", name: "Model", build: (place) => buildModel(this.given, place) },
    ]);
    if (this.address.has("page")) this.panel.show(this.address.get("page"));
    makeDivider(byId("divider"), byId("work"));
    byId("actions").append(this.theme.button());
  }

  #buildSource(place) {
    this.messageList = element("div", { class: "messages", role: "status" });
    place.append(this.editor.node, this.messageList,
      element("div", { class: "buttons-row" },
        element("button", { type: "button", class: "wide", text: "Save model", onclick: () => this.controls.saveText(this.source, this.model.path.split("/").pop(), "text/plain") }),
        element("button", { type: "button", class: "wide", text: "Undo all", onclick: () => { this.editor.text = this.file.content; } })));
    this.#showMessages();
  }

  #buildPlots(place) {
    if (!this.run) return;
    const names = this.plotted;
    this.board.build(place);
    if (!names) return;
    for (const plot of [...this.board.plots]) this.board.remove(plot);
    place.querySelector(".plots").replaceChildren();
    for (const group of names) this.board.addPlot(group.map((name) => this.run.variableOf.get(name)).filter(Boolean));
  }

  // ------------------------------------------------------------------------------------------------------ asking

  get request() {
    return { path: this.model.path, settings: [...Object.entries(this.model.reading ?? {}), ...this.settings], source: this.source };
  }

  /** Runs the model as it is now. */
  simulate() {
    this.live.leave();
    this.#since = performance.now();
    this.#partial = null;
    this.cost = {};
    this.simulator.ask({ kind: "run", ...this.request });
  }

  setParameter(name, text) {
    this.settings.set(name, text);
    this.simulate();
  }

  forgetParameters() {
    this.settings = new Map(Object.entries(this.model.settings ?? {}));
    this.simulate();
  }

  // ------------------------------------------------------------------------------------------------------ hearing

  #showModel(model) {
    this.messages = model.messages;
    this.facts = model.ok ? model : this.facts;
    if (model.ok) this.controls.setModel(model);
    this.#showMessages();
  }

  #showMessages() {
    const messages = this.messages ?? [];
    const errors = messages.filter(({ severity }) => severity === "error");
    this.fault.hidden = errors.length === 0;
    if (errors.length > 0) this.fault.textContent = `${count(errors.length, "error")}: ${errors[0].text.split("\n")[0]}`;
    const lines = messages.filter(({ line, file, severity }) => line > 0 && file === this.model.path && severity !== "note").map(({ line }) => line);
    this.editor.setFaults(lines);
    this.messageList?.replaceChildren(...messages.map(({ severity, text, line }) =>
      element("button", { type: "button", class: `message is-${severity}`, text: text.replaceAll(`${this.model.path}:`, `${this.model.path.split("/").pop()}:`), onclick: () => line > 0 && this.editor.goTo(line) })));
  }

  /** A long run is shown as far as it has come. */
  #showRows({ time, rows }) {
    const partial = this.#partial, age = performance.now() - this.#since;
    if (!partial) return;
    partial.add(rows);
    if (age >= longRun) this.#showProgress(time);
    if (partial.run.rowCount < 2 || (partial.run !== this.run && age < longRun)) return;
    if (partial.run !== this.run) this.#show(partial.run, true);
    else this.#follow();
    this.cost.first ??= (performance.now() - this.#since) / 1000;
  }

  #showProgress(time) {
    const { start, stop } = this.facts;
    this.note.hidden = false;
    this.note.querySelector("span").textContent = `${formatNumber(time, 3)} of ${formatNumber(stop)} s`;
    this.note.querySelector("progress").value = (time - start) / (stop - start || 1);
  }

  /** What is shown has got more rows. */
  #follow() {
    this.stage.motion.extend();
    this.clock.extend();
    this.transport.extend();
    this.stage.invalidate();
    this.#playFirst();
  }

  /** The first motion is played as soon as there is some. */
  #playFirst() {
    if (!this.isFirst || this.run.rowCount < 2) return;
    this.isFirst = false;
    this.clock.play();
    performance.mark("carom-moving");
  }

  #showIdle(word) {
    this.note.hidden = true;
    byId("subtitle").textContent = word;
    document.documentElement.dataset.ready ??= "1";
  }

  #showResult({ end, messages, description, numbers, seconds }) {
    this.messages = messages;
    this.#showMessages();
    this.note.hidden = true;
    this.end = end;
    if (description) {
      const run = new Run(description, numbers), isFirst = this.runCount === 0;
      this.#show(run, false);
      if (isFirst && !this.isViewChosen) this.stage.resetView(); // now that it is known where bodies go
      this.result = run;
      const whole = (performance.now() - this.#since) / 1000;
      this.cost = { simulator: seconds, first: this.cost.first ?? whole, whole };
      this.runCount++;
    }
    this.#showHead(description ? seconds : null);
    document.documentElement.dataset.ready = "1";
    document.documentElement.dataset.runs = this.runCount;
  }

  /** The run of a report; what the model declares is asked for beside it. */
  #showGiven(run) {
    this.#show(run, false);
    this.result = run;
    this.runCount++;
    this.#showHead(null);
    if (this.address.has("time")) this.clock.setTime(Number(this.address.get("time")));
    this.simulator.ask({ kind: "open", ...this.request });
  }

  #showHead(seconds) {
    if (!this.run) {
      byId("subtitle").textContent = "the model has errors";
      return;
    }
    const { run } = this, moving = run.bodies.filter((body) => body.poses).length;
    const facts = [count(moving, "moving body", "moving bodies"), `${formatNumber(run.stopTime - run.startTime)} s`];
    if (run.contactCount > 0) facts.push(count(run.contactCount, "contact"));
    if (seconds !== null) facts.push(`simulated in ${seconds < 1 ? `${Math.round(1000 * seconds)} ms` : `${formatNumber(seconds, 3)} s`}`);
    if (this.end === "failed") facts.push("failed on the way");
    byId("subtitle").textContent = facts.join(" · ");
  }

  /** The page with the run that is shown, and with the model as it is now. */
  async pageText() {
    const { model, settings, source } = this;
    const files = model.files.map((file) => (file.path === model.path ? { path: file.path, text: source } : file));
    return pageText({ ...model, settings: Object.fromEntries(settings), files }, this.result);
  }

  #fail(text) {
    this.messages = [{ severity: "error", text, line: 0 }];
    this.#showMessages();
    this.#showIdle("");
  }

  // ------------------------------------------------------------------------------------------------------ showing

  /** Shows a run; `isPartial`: another one with more of it follows. */
  #show(run, isPartial) {
    const motion = new Motion(run);
    this.run = run;
    if (!this.stage) this.#open(run, motion);
    else {
      this.clock.isGrowing = isPartial;
      this.clock.setRun(run);
      this.stage.time = this.clock.time;
      this.stage.setRun(run, motion);
      this.transport.setRun(run);
    }
    this.#playFirst();
    this.card.run = run;
    if (!isPartial && !this.menus) this.#dress(run);
    clearTimeout(this.#timer);
    if (!isPartial) this.#timer = setTimeout(() => this.#rebuildPages(), rebuildDelay);
  }

  /** The first run: everything that shows it is made. */
  #open(run, motion) {
    const view = byId("view"), { theme } = this;
    this.clock = new Clock(run);
    this.clock.isGrowing = !this.given;
    if (this.facts) this.clock.setSpeed(speedFor(this.facts.stop - this.facts.start)); // this may be the first part of a long run
    this.stage = new Stage(run, motion, view, false, [], this.drawing);
    this.stage.orbit.on("change", () => { this.isViewChosen = true; });
    this.clock.on("time", (time) => this.stage.setTime(time));
    for (const name of ["time", "state"]) this.clock.on(name, (value) => this.clockRelay?.emit(name, value));
    for (const name of ["select", "view"]) this.stage.on(name, (value) => this.stageRelay?.emit(name, value));
    this.transport = new Transport(run, this.clock, theme, byId("transport"));
    if (this.address.get("shadows") === "0") this.stage.setOption("shadows", false);
    this.#makeRunParts();
    this.card = new ObjectCard(run, this.stage, this.clock, this.board, this.tree, view);
    new HoverLabel(this.stage, this.clock, view);
    this.stage.setTheme(theme.isDark);
    theme.on("change", (isDark) => this.stage.setTheme(isDark));
    new ResizeObserver(() => this.stage.resize()).observe(view);
    this.stage.resize();
    this.live.build(view);
    this.#startLoop();
    this.clock.setLooping(true);
    this.isFirst = this.address.get("play") !== "0";
  }

  /** What is offered depends on what a whole run has. */
  #dress(run) {
    const { clock, stage, card, theme, panel } = this;
    this.menus = new ViewMenus(run, stage, clock, byId("view"));
    const list = shortcuts({ clock, stage, menus: this.menus, card, theme, panel }), help = buildHelp(list);
    listenToKeys(list, help);
    byId("actions").prepend(iconButton("help", "Keys and mouse (?)", () => help.showModal(), { id: "show-help" }));
  }

  #makeRunParts() {
    this.clockRelay = new Relay(this.clock);
    this.stageRelay = new Relay(this.stage);
    this.board = new PlotBoard(this.run, this.clockRelay.proxy, this.theme);
    this.tree = new ObjectTree(this.run, this.stageRelay.proxy, this.board);
  }

  /** Plots and tables of the new run, in place of those of the last. */
  #rebuildPages() {
    if (this.panel.pages.find(({ id }) => id === "plots").isBuilt) this.plotted = this.board.plots.map((plot) => plot.variables.map(({ name }) => name));
    for (const plot of [...this.board.plots]) plot.destroy();
    this.#makeRunParts();
    Object.assign(this.card, { run: this.run, board: this.board, tree: this.tree });
    this.panel.pages.forEach((page, i) => {
      if (!page.ofRun || !page.isBuilt) return;
      page.isBuilt = false;
      this.panel.places[i].replaceChildren();
    });
    this.panel.show(this.panel.shown);
  }

  #go(time, path) {
    this.clock.pause();
    this.clock.setTime(time);
    const object = path === undefined ? null : this.run.objectOf.get(path);
    if (object) this.stage.select(object);
  }

  #startLoop() {
    let last = performance.now();
    const frame = (now) => {
      const begin = performance.now(), seconds = Math.min(longestFrame, (now - last) / 1000);
      last = now;
      if (this.live.isOn) this.live.advance(seconds);
      else if (this.clock.isPlaying) this.clock.advance(seconds);
      this.stage.drawIfStale();
      this.frames?.push(performance.now() - begin);
      requestAnimationFrame(frame);
    };
    this.stage.draw();
    performance.mark("carom-ready");
    document.documentElement.dataset.ready = "1";
    requestAnimationFrame(frame);
  }
}

async function main() {
  const page = new PlayPage(await readPage());
  window.caromPlay = page;
}

main().catch((error) => {
  console.error(error);
  byId("subtitle").textContent = "";
  byId("work").replaceChildren(element("p", { class: "failure", role: "alert", text: error.message }));
  document.documentElement.dataset.ready = "failed";
});

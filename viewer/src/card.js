// The card of the selected object: what it is, where it is, and its signals.
import { element, iconButton } from "./dom.js";
import { formatNumber } from "./number_text.js";
import { signalRow } from "./signal_picker.js";

const maxSignals = 80;
const noise = 1e-7; // [1] of the scene: smaller positions are rounding

export class ObjectCard {
  constructor(run, stage, clock, board, tree, place) {
    Object.assign(this, { run, stage, clock, board, tree });
    this.node = element("aside", { class: "card", id: "card", "aria-label": "Selected object", hidden: true });
    place.append(this.node);
    stage.on("select", (object) => this.#show(object));
    stage.on("view", () => this.#showSwitches());
    clock.on("time", () => this.#showValues());
  }

  #show(object) {
    this.object = object;
    this.node.hidden = !object;
    if (!object) return;
    this.variables = this.run.variablesOf(object.path).slice(0, maxSignals);
    this.place = element("dd", { class: "steady" });
    this.node.replaceChildren(
      element("header", {}, element("h2", { text: object.path, title: object.path }), iconButton("close", "Close (Esc)", () => this.stage.select(null))),
      this.#buildSwitches(), this.#buildFacts(object), this.#buildSignals(object));
    this.#showSwitches();
    this.#showValues();
  }

  #buildSwitches() {
    const button = (name, label, action) => iconButton(name, label, action, { "aria-pressed": "false" });
    this.followButton = button("target", "Follow with the camera (F)", () => this.follow());
    this.ghostButton = button("ghost", "See-through", () => this.#toggleGhost());
    this.hideButton = button("eye", "Visible (H)", () => this.hide());
    return element("div", { class: "switches" }, this.followButton, this.ghostButton, this.hideButton);
  }

  /** Follows the object with the camera, or stops that. */
  follow() {
    this.stage.follow(this.stage.followed === this.object ? null : this.object);
    this.stage.invalidate();
  }

  hide() {
    this.stage.setHidden([this.object], !this.stage.hidden.has(this.object));
    this.tree.refresh();
    this.#showSwitches();
  }

  #toggleGhost() {
    this.stage.setGhost(this.object, !this.stage.ghosts.has(this.object));
    this.#showSwitches();
  }

  #showSwitches() {
    if (!this.object) return;
    this.followButton.setAttribute("aria-pressed", String(this.stage.followed === this.object));
    this.ghostButton.setAttribute("aria-pressed", String(this.stage.ghosts.has(this.object)));
    this.hideButton.setAttribute("aria-pressed", String(!this.stage.hidden.has(this.object)));
  }

  #buildFacts(object) {
    const facts = [];
    if (object.mass !== undefined) facts.push(["Mass", `${formatNumber(object.mass)} kg`]);
    if (object.materials?.length) facts.push(["Material", object.materials.join(", ")]);
    if (object.shapes.length) facts.push(["Shape", shapeSummary(object.shapes)]);
    const joints = this.run.joints.filter((joint) => joint.objectA === object.path || joint.objectB === object.path);
    if (joints.length) facts.push(["Joints", joints.slice(0, 4).map((joint) => `${joint.path} (${joint.kind})`).join(", ") + (joints.length > 4 ? ` and ${joints.length - 4} more` : "")]);
    return element("dl", {}, facts.map(([name, value]) => [element("dt", { text: name }), element("dd", { text: value, title: value })]).flat(),
      element("dt", { text: "Position" }), this.place);
  }

  #buildSignals(object) {
    if (this.variables.length === 0) return element("p", { class: "quiet", text: "No signal of this object was recorded." });
    const label = (name) => (name.startsWith(object.path + ".") ? name.slice(object.path.length + 1) : name);
    const rows = this.variables.map((variable) => signalRow(variable, this.board, label(variable.name)));
    this.values = rows.map((row) => row.querySelector(".value"));
    return element("details", { open: window.innerWidth > 720 }, element("summary", { text: "Signals" }), element("ul", { class: "signals" }, rows));
  }

  #showValues() {
    if (!this.object) return;
    const pose = this.stage.poseOf(this.object);
    const digits = (x) => formatNumber(Math.abs(x) < noise * this.stage.bounds.radius ? 0 : x, 3);
    this.place.textContent = `${pose.slice(0, 3).map(digits).join("  ")} m`;
    this.variables.forEach((variable, i) => {
      this.values[i].textContent = formatNumber(this.run.valueAt(variable, this.clock.time));
    });
  }
}

/** "sphere", "2 boxes, cylinder". */
function shapeSummary(shapes) {
  const counts = new Map();
  for (const { kind } of shapes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, n]) => (n > 1 ? `${n} × ${kind}` : kind)).join(", ");
}

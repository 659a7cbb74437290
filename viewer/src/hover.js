// The name of the object under the mouse, while nothing moves.
import { element } from "./dom.js";

const patience = 60; // [ms] between two looks

export class HoverLabel {
  #last = 0;

  constructor(stage, clock, place) {
    this.stage = stage;
    this.clock = clock;
    this.node = element("p", { class: "hover", hidden: true, "aria-hidden": "true" });
    place.append(this.node);
    stage.orbit.on("hover", (at) => this.#look(at));
    stage.orbit.on("change", () => this.#hide());
    stage.canvas.addEventListener("pointerleave", () => this.#hide());
    clock.on("time", () => this.#hide());
  }

  #look(at) {
    const now = performance.now();
    if (this.clock.isPlaying || now - this.#last < patience) return;
    this.#last = now;
    const object = this.stage.pick(at)?.part.object;
    if (!object) return this.#hide();
    this.node.hidden = false;
    this.node.textContent = object.path;
    this.node.style.transform = `translate(${at.x + 14}px, ${at.y + 14}px)`;
    this.stage.canvas.style.cursor = "pointer";
  }

  #hide() {
    if (this.node.hidden) return;
    this.node.hidden = true;
    this.stage.canvas.style.cursor = "";
  }
}

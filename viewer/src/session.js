// A session: the model runs as long as one looks, at a speed, and bodies are pulled by hand. What was done is kept as a list,
// which `carom run --session` does again, bit by bit.
//
// A worker takes the steps, one picture ahead at most: a model that is too slow for its speed is shown slower, not torn.
import { Plane, Raycaster, Vector2, Vector3 } from "three";
import { BufferGeometry, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import { byId, element, icon, iconButton, setIcon } from "./dom.js";
import { Run } from "./run.js";
import { download } from "./download.js";
import { identityPose, transformPoint } from "./pose.js";
import { speeds } from "./clock.js";

const mostSteps = 64; // of the grid in a picture
const format = "carom session 1";

/** Poses as the simulator has told them last. */
class SessionMotion {
  constructor(run) {
    this.run = run;
    this.poses = new Float64Array(7 * run.bodies.length);
    run.bodies.forEach((body, i) => this.poses.set(body.poses ? body.poses.subarray(0, 7) : identityPose, 7 * i));
  }

  sample() {
    return this.poses;
  }

  /** row: the time, then seven numbers for each body that moves. */
  take(row) {
    let at = 1;
    this.run.bodies.forEach((body, i) => {
      if (!body.poses) return;
      this.poses.set(row.subarray(at, at + 7), 7 * i);
      at += 7;
    });
  }
}

export class Session {
  constructor(page) {
    this.page = page;
    this.isOn = false;
    this.isWaiting = false; // for the worker
    this.actions = []; // to be done before the next step
    this.record = null; // of the last session
    page.simulator.on("pose", (message) => this.#take(message));
  }

  /** Puts button and bar into the page. */
  build(view) {
    this.view = view;
    this.button = element("button", { type: "button", class: "hand", id: "touch", title: "Pull bodies with the mouse while the model runs", onclick: () => this.enter() }, icon("target"), "Touch it");
    view.append(this.button);
    this.now = element("output", { id: "live-now" });
    this.pauseButton = iconButton("pause", "Pause", () => this.setPaused(!this.isPaused), { id: "live-pause", class: "tool play" });
    this.stepButton = iconButton("stepForward", "One step", () => this.#stepOnce(), { id: "live-step" });
    this.speed = element("select", { id: "live-speed", title: "Seconds of the model per second" }, speeds.filter((speed) => speed >= 0.01 && speed <= 10).map((speed) => element("option", { value: speed, text: `${speed}×` })));
    this.speed.value = "1";
    this.hint = element("span", { class: "quiet" });
    this.bar = element("div", { class: "live-bar", hidden: true, role: "group", "aria-label": "Session" }, element("span", { class: "live-dot" }), this.pauseButton, this.stepButton,
      element("div", { class: "clock" }, this.now), element("label", { class: "speed" }, element("span", { class: "unseen", text: "Speed" }), this.speed), this.hint,
      element("button", { type: "button", class: "wide", id: "live-again", text: "Again", onclick: () => this.enter(0) }),
      element("button", { type: "button", class: "wide is-main", id: "live-done", text: "Done", onclick: () => this.finish() }));
    byId("stage").append(this.bar);
    view.addEventListener("pointerdown", (event) => this.#press(event), true);
    view.addEventListener("pointermove", (event) => this.#move(event), true);
    for (const name of ["pointerup", "pointercancel"]) view.addEventListener(name, (event) => this.#release(event), true);
  }

  // ------------------------------------------------------------------------------------------------- beginning, ending

  /** Begins a session at the time shown, or at another one. */
  enter(time = this.page.clock.time) {
    const { page } = this;
    if (!page.facts || page.messages?.some(({ severity }) => severity === "error")) return;
    page.clock.pause();
    this.isOn = this.isWaiting = true;
    this.isPaused = false;
    this.held = null;
    this.actions = [];
    this.behind = 0;
    this.steps = 0;
    this.row = null;
    this.record = { format, model: page.model.path.split("/").pop(), set: Object.fromEntries(page.settings), steps: 0, actions: [] };
    for (const control of page.controls.inputList ?? []) if (control.isChanged) this.actions.push(["input", control.name, Number(control.text)]);
    this.#showBar(true);
    page.simulator.ask({ kind: "live", ...page.request, time, start: page.facts.start });
  }

  #showBar(isShown) {
    document.documentElement.classList.toggle("is-live", isShown);
    this.bar.hidden = !isShown;
    this.button.hidden = isShown;
    byId("transport").hidden = isShown;
    this.hint.textContent = "Drag a body to pull it; drag beside it to turn the view.";
    this.#showPause();
  }

  /** Ends the session without its rows. */
  leave() {
    if (!this.isOn) return;
    this.isOn = false;
    this.#dropSpring();
    this.#showBar(false);
  }

  /** Ends the session and shows it as a run. */
  finish() {
    if (!this.isOn) return;
    this.leave();
    this.page.controls.sessionButton && (this.page.controls.sessionButton.disabled = false);
    this.page.simulator.ask({ kind: "end" });
  }

  save() {
    if (this.record) download(new Blob([JSON.stringify(this.record)], { type: "application/json" }), `${this.page.model.title}.session.json`);
  }

  // ----------------------------------------------------------------------------------------------------------- moving

  setPaused(isPaused) {
    this.isPaused = isPaused;
    this.#showPause();
  }

  #showPause() {
    setIcon(this.pauseButton, this.isPaused ? "play" : "pause", this.isPaused ? "Go on" : "Pause");
    this.stepButton.disabled = !this.isPaused;
  }

  #stepOnce() {
    if (this.isOn && this.isPaused && !this.isWaiting) this.#ask(1);
  }

  /** Asks for the steps that `seconds` of the viewer's time are worth. */
  advance(seconds) {
    this.#show();
    if (!this.isOn || !this.interval) return;
    if (!this.isPaused) this.behind = Math.min(this.behind + (seconds * Number(this.speed.value)) / this.interval, mostSteps);
    if (this.isWaiting || this.isPaused) return;
    const count = Math.floor(this.behind);
    if (count < 1) return;
    this.behind -= count;
    this.#ask(count);
  }

  #ask(count) {
    if (this.held?.target) this.actions.push(["pull", ...this.held.target]);
    this.asked = this.actions.map((action) => [this.steps, ...action]);
    this.record.actions.push(...this.asked);
    this.isWaiting = true;
    this.page.simulator.ask({ kind: "advance", count, actions: this.actions });
    this.actions = [];
  }

  setInput(path, value) {
    if (this.isOn) this.actions.push(["input", path, value]);
  }

  #take({ isGood, poses, description, numbers, interval, steps, count, messages, refused }) {
    if (!this.isOn) return;
    this.isWaiting = false;
    if (description) {
      this.interval = interval;
      this.run = new Run(description, numbers);
      this.motion = new SessionMotion(this.run);
      this.page.run = this.run;
      this.page.stage.setRun(this.run, this.motion);
    }
    this.steps += steps ?? count ?? 0;
    this.record.steps = this.steps;
    if (!isGood) return this.#fail(messages);
    this.#forget((refused ?? []).map((i) => this.asked[i]));
    this.row = poses;
  }

  /** What was refused was not done: the list that is saved does not have it. */
  #forget(refused) {
    if (refused.some(([, name]) => name === "grab")) this.held = null;
    if (refused.length > 0) this.record.actions = this.record.actions.filter((action) => !refused.includes(action));
  }

  /** What was told since the last picture: taken in right before the next, so that hands meet what is seen. */
  #show() {
    if (!this.row || !this.motion) return;
    this.motion.take(this.row);
    this.now.textContent = `${this.row[0].toFixed(2)} s`;
    this.#drawSpring();
    this.page.stage.setTime(this.row[0]);
    this.row = null;
  }

  #fail(messages) {
    this.hint.textContent = messages.at(-1)?.text.split("\n")[0] ?? "the simulation has failed";
    this.setPaused(true);
    this.interval = 0;
  }

  // ---------------------------------------------------------------------------------------------------------- pulling

  #placeOf(event) {
    const box = this.page.stage.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #press(event) {
    const { stage } = this.page;
    if (!this.isOn || this.held || event.button !== 0 || event.shiftKey || event.target !== stage.canvas || !this.run) return;
    const hit = stage.pick(this.#placeOf(event)), object = hit?.part.object; // where it was drawn last
    if (!object || !this.run.bodies[object.body]?.poses) return;
    event.stopPropagation();
    event.preventDefault();
    this.view.setPointerCapture(event.pointerId);
    const point = pointIn(stage.poseOf(object), hit.point.toArray());
    this.held = { object, point, pointer: event.pointerId, plane: new Plane().setFromNormalAndCoplanarPoint(stage.camera.getWorldDirection(new Vector3()), hit.point), target: hit.point.toArray() };
    this.actions.push(["grab", object.path, ...point]);
    document.documentElement.classList.add("is-grabbing");
  }

  #move(event) {
    if (!this.isOn || !this.held || event.pointerId !== this.held.pointer) return;
    event.stopPropagation();
    const { camera, canvas } = this.page.stage, { x, y } = this.#placeOf(event);
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * x) / canvas.clientWidth - 1, 1 - (2 * y) / canvas.clientHeight), camera);
    const target = ray.ray.intersectPlane(this.held.plane, new Vector3());
    if (target) this.held.target = target.toArray();
  }

  #release(event) {
    if (!this.held || event.pointerId !== this.held.pointer) return;
    event.stopPropagation();
    this.held = null;
    this.actions.push(["release"]);
    this.#dropSpring();
    document.documentElement.classList.remove("is-grabbing");
  }

  /** A line from the body to the hand. */
  #drawSpring() {
    const { stage } = this.page;
    if (!this.held) return this.#dropSpring();
    if (!this.spring || this.spring.parent !== stage.scene) {
      this.#dropSpring();
      const material = new LineBasicMaterial({ color: 0xff9d00, depthTest: false });
      this.spring = new Line(new BufferGeometry().setFromPoints([new Vector3(), new Vector3()]), material);
      this.knob = new Mesh(new SphereGeometry(1, 16, 12), new MeshBasicMaterial({ color: 0xff9d00, depthTest: false }));
      this.spring.frustumCulled = false;
      this.spring.renderOrder = this.knob.renderOrder = 10;
      stage.scene.add(this.spring, this.knob);
    }
    const from = transformPoint(stage.poseOf(this.held.object), 0, this.held.point), to = this.held.target;
    const position = this.spring.geometry.attributes.position;
    position.setXYZ(0, ...from);
    position.setXYZ(1, ...to);
    position.needsUpdate = true;
    this.knob.position.set(...to);
    this.knob.scale.setScalar(0.006 * stage.camera.position.distanceTo(this.knob.position));
  }

  #dropSpring() {
    for (const node of [this.spring, this.knob]) {
      node?.removeFromParent();
      node?.geometry.dispose();
      node?.material.dispose();
    }
    this.spring = this.knob = null;
    this.page.stage?.invalidate();
  }
}

/** A point of the world in the axes of a pose. */
function pointIn([x, y, z, w, a, b, c], point) {
  const back = new Float64Array([0, 0, 0, w, -a, -b, -c]);
  return Array.from(transformPoint(back, 0, [point[0] - x, point[1] - y, point[2] - z]));
}

// Orbit: turns, shifts and zooms a camera about a target by mouse, pen and fingers; z stays up.
import { Vector3 } from "three";
import { Emitter } from "./emitter.js";

const turnPerPixel = 0.006; // [rad/px]
const steepest = 1.553; // [rad] elevation: just short of straight above
const clickSlack = 5; // [px] a pointer that moved less was a click
const zoomPerWheel = 0.0012;

/**
 * Emits "change" when the view has been moved by hand, "click" and "focus" {x, y} [px] for clicks and double clicks,
 * "hover" {x, y} where a mouse goes.
 */
export class Orbit extends Emitter {
  #pointers = new Map();
  #moved = 0;

  constructor(camera, canvas) {
    super();
    this.camera = camera;
    this.canvas = canvas;
    this.target = new Vector3();
    this.minDistance = 1e-3;
    this.maxDistance = 1e6;
    canvas.addEventListener("pointerdown", (event) => this.#press(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#release(event));
    canvas.addEventListener("pointercancel", (event) => this.#pointers.delete(event.pointerId));
    canvas.addEventListener("wheel", (event) => this.#roll(event), { passive: false });
    canvas.addEventListener("dblclick", (event) => this.emit("focus", this.#place(event)));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Puts the camera at a point, looking at another. */
  lookAt(position, target) {
    this.target.set(...target);
    this.camera.position.set(...position);
    this.camera.lookAt(this.target);
  }

  /** Moves camera and target together. */
  shift(dx, dy, dz) {
    this.target.x += dx;
    this.target.y += dy;
    this.target.z += dz;
    this.camera.position.x += dx;
    this.camera.position.y += dy;
    this.camera.position.z += dz;
  }

  /** Turns about the vertical, and up or down [rad]. */
  turn(azimuth, elevation) {
    const offset = this.camera.position.clone().sub(this.target);
    const distance = offset.length();
    const angle = Math.atan2(offset.y, offset.x) + azimuth;
    const rise = Math.asin(Math.max(-1, Math.min(1, offset.z / distance))) + elevation;
    const height = Math.max(-steepest, Math.min(steepest, rise));
    offset.set(Math.cos(angle) * Math.cos(height), Math.sin(angle) * Math.cos(height), Math.sin(height)).multiplyScalar(distance);
    this.camera.position.copy(this.target).add(offset);
    this.camera.lookAt(this.target);
  }

  /** Shifts by pixels of the picture, at the depth of the target. */
  pan(dx, dy) {
    const distance = this.camera.position.distanceTo(this.target);
    const metresPerPixel = (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / this.canvas.clientHeight;
    const right = new Vector3().setFromMatrixColumn(this.camera.matrix, 0), up = new Vector3().setFromMatrixColumn(this.camera.matrix, 1);
    const move = right.multiplyScalar(-dx * metresPerPixel).add(up.multiplyScalar(dy * metresPerPixel));
    this.shift(move.x, move.y, move.z);
  }

  /** Comes nearer (factor below 1) or goes away. */
  zoom(factor) {
    const offset = this.camera.position.clone().sub(this.target);
    const distance = Math.max(this.minDistance, Math.min(this.maxDistance, offset.length() * factor));
    this.camera.position.copy(this.target).add(offset.setLength(distance));
  }

  #press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.#pointers.size === 1) this.#moved = 0;
  }

  #move(event) {
    const last = this.#pointers.get(event.pointerId);
    if (!last) return event.pointerType === "mouse" ? this.emit("hover", this.#place(event)) : undefined;
    const dx = event.clientX - last.x, dy = event.clientY - last.y;
    this.#moved += Math.abs(dx) + Math.abs(dy);
    if (this.#moved < clickSlack && this.#pointers.size === 1) return;
    if (this.#pointers.size === 2) this.#pinch(event, dx, dy);
    else if (event.buttons & 6 || event.shiftKey) this.pan(dx, dy);
    else this.turn(-dx * turnPerPixel, dy * turnPerPixel);
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.emit("change");
  }

  /** Two fingers: their distance zooms, their middle shifts. */
  #pinch(event, dx, dy) {
    const [other] = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    const last = this.#pointers.get(event.pointerId);
    const before = Math.hypot(last.x - other.x, last.y - other.y), after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
    if (before > 0 && after > 0) this.zoom(before / after);
    this.pan(dx / 2, dy / 2);
  }

  #release(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    if (this.#moved >= clickSlack || this.#pointers.size > 0 || event.button !== 0) return;
    this.emit("click", this.#place(event));
  }

  #place(event) {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #roll(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    this.zoom(Math.exp(Math.max(-300, Math.min(300, event.deltaY * lines)) * zoomPerWheel));
    this.emit("change");
  }
}

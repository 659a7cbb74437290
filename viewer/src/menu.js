// Menus over the picture: what is shown, and where it is looked at from.
import { element, iconButton } from "./dom.js";
import { blobOf, download } from "./download.js";
import { FilmButton } from "./film.js";
import { formatNumber, formatPressure } from "./number_text.js";
import { pressureColor } from "./patch_view.js";

/** A button that opens a box; a click elsewhere or Escape closes it. */
function popover(name, label, id, content) {
  const box = element("div", { class: "popover", id, hidden: true, role: "group", "aria-label": label }, content);
  const button = iconButton(name, label, () => set(box.hidden), { "aria-expanded": "false", "aria-controls": id });
  const set = (isOpen) => {
    box.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
  };
  document.addEventListener("pointerdown", (event) => {
    if (!box.hidden && !box.contains(event.target) && !button.contains(event.target)) set(false);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      set(false);
      button.focus();
      event.stopPropagation();
    }
  });
  const close = () => !box.hidden && (set(false), true);
  return { button, box, close };
}

/** Switches of the picture: [option, label, key, is on at the start]. */
const switches = [
  ["forces", "Contact forces", "C", true],
  ["points", "Contact points", "", true],
  ["patches", "Contact patches", "P", true],
  ["normals", "Contact normals", "N", false],
  ["trails", "Trails", "T", false],
  ["seeThrough", "See through what is in the way", "X", true],
  ["joints", "Joint axes", "J", false],
  ["frames", "Frames of objects", "A", false],
  ["centres", "Centres of mass", "M", false],
  ["inertia", "Inertia ellipsoids", "I", false],
  ["contactShapes", "Contact geometry", "K", false],
  ["floor", "Reference floor", "G", true],
  ["shadows", "Shadows", "", true],
];

export class ViewMenus {
  constructor(run, stage, clock, place) {
    this.run = run;
    this.stage = stage;
    this.film = new FilmButton(stage, clock, run.title);
    this.boxes = new Map();
    const display = popover("layers", "What is shown", "display-menu", this.#buildDisplay());
    const view = popover("camera", "Point of view", "view-menu", this.#buildView());
    this.menus = [display, view];
    place.append(element("div", { class: "view-tools", role: "toolbar", "aria-label": "Picture" },
      iconButton("home", "Whole scene (R)", () => this.reset(), { id: "reset-view" }), view.button, display.button,
      iconButton("image", "Download this picture (PNG)", () => this.#downloadPicture(), { id: "download-picture" }), this.film.button),
      display.box, view.box);
    stage.on("view", () => this.#showView());
  }

  /** Closes an open menu; false where none was. */
  close() {
    return this.menus.some((menu) => menu.close());
  }

  reset() {
    this.stage.resetView();
    this.stage.invalidate();
  }

  /** Turns a switch over, from a key. */
  toggle(option) {
    const box = this.boxes.get(option);
    if (!box) return;
    box.checked = !box.checked;
    this.stage.setOption(option, box.checked);
  }

  #buildDisplay() {
    const hasContacts = this.run.contacts !== null;
    const rows = switches.filter(([option]) => this.#applies(option, hasContacts)).map(([option, label, key, isOn]) => {
      const box = element("input", { type: "checkbox", id: `show-${option}`, onchange: () => this.stage.setOption(option, box.checked) });
      box.checked = option === "frames" ? this.stage.frames.visible : isOn;
      this.boxes.set(option, box);
      return element("label", { class: "switch" }, box, element("span", { text: label }), key && element("kbd", { text: key }));
    });
    const force = hasContacts && slider("force-scale", "Length of force arrows", -2, 2, 0, (x) => this.#setForceScale(x));
    this.forceNote = element("small", { class: "quiet steady" });
    const trail = slider("trail-length", "Length of trails", 0.02, 1, 0.25, (x) => this.stage.setOption("trailShare", x));
    if (hasContacts) this.#setForceScale(0);
    return [element("h2", { text: "Show" }), ...rows, this.#buildPressureMap(), force, hasContacts && this.forceNote, trail];
  }

  /** The colours of pressures; nothing where no run has patches. */
  #buildPressureMap() {
    const { isUsed, largest } = this.stage.contacts.patches;
    if (!isUsed) return null;
    const colors = [0, 0.25, 0.5, 0.75, 1].map((share) => `rgb(${pressureColor(share).map((x) => Math.round(255 * x)).join(" ")})`);
    const bar = element("i");
    bar.style.background = `linear-gradient(to right, ${colors.join(", ")})`; // a style attribute is not allowed
    return element("div", { class: "pressure-map", id: "pressure-map", title: "Colours of contact patches" },
      element("span", { text: "0" }), bar, element("span", { text: formatPressure(largest) }));
  }

  #applies(option, hasContacts) {
    if (option === "patches") return hasContacts && this.stage.contacts.patches.isUsed;
    if (["forces", "points", "normals"].includes(option)) return hasContacts;
    if (option === "joints") return this.run.joints.length > 0;
    if (option === "centres" || option === "inertia") return this.stage.masses.isUsed;
    if (option === "contactShapes") return this.stage.parts.hasContactShapes;
    if (option === "floor") return !this.stage.floors.isSolid;
    return true;
  }

  #setForceScale(exponent) {
    this.stage.setOption("forceFactor", 10 ** exponent);
    const { metresPerNewton, typicalLength } = this.stage.contacts;
    this.forceNote.textContent = `${formatNumber(typicalLength / metresPerNewton, 2)} N is ${formatNumber(typicalLength, 2)} m long`;
  }

  #buildView() {
    const directions = [
      ["Front", [0, -1, 0.001]], ["Right", [1, 0, 0.001]], ["Top", [0, -0.001, 1]], ["Back", [0, 1, 0.001]], ["Left", [-1, 0, 0.001]], ["Slanted", [0.55, -1, 0.5]],
    ];
    this.views = element("div", { class: "grid-buttons" }, directions.map(([name, direction]) =>
      element("button", { type: "button", class: "wide", text: name, onclick: () => this.#look(direction) })));
    this.cameras = this.stage.sceneCameras.map((object) => element("button", {
      type: "button", class: "wide", text: `Camera ${object.path}`, "aria-pressed": "false", onclick: () => this.#useCamera(object) }));
    this.stopButton = element("button", { type: "button", class: "wide", text: "Stop following", hidden: true, onclick: () => this.#stopFollowing() });
    return [element("h2", { text: "View" }), this.views, ...this.cameras, this.stopButton,
      element("p", { class: "quiet hint", text: "Drag turns, right drag or Shift shifts, wheel zooms. To follow an object, select it and press F." })];
  }

  #look(direction) {
    this.stage.follow(null);
    this.stage.viewAll(direction);
    this.stage.invalidate();
  }

  #useCamera(object) {
    this.stage.follow(null);
    this.stage.useSceneCamera(object);
    this.stage.invalidate();
  }

  #stopFollowing() {
    this.stage.follow(null);
    this.stage.invalidate();
  }

  #showView() {
    const { followed, sceneCamera, sceneCameras } = this.stage;
    this.cameras.forEach((button, i) => button.setAttribute("aria-pressed", String(sceneCamera === sceneCameras[i])));
    this.stopButton.hidden = !followed;
    if (followed) this.stopButton.textContent = `Stop following ${followed.path}`;
  }

  #downloadPicture() {
    const ratio = this.stage.renderer.getPixelRatio();
    const picture = this.stage.renderFrame(Math.round(this.stage.width * ratio), Math.round(this.stage.height * ratio));
    download(blobOf(picture), `${this.run.title}.png`);
  }
}

function slider(id, label, min, max, value, onchange) {
  const input = element("input", { id, type: "range", min, max, step: "any", value });
  input.addEventListener("input", () => onchange(Number(input.value)));
  return element("label", { class: "slider" }, element("span", { text: label }), input);
}

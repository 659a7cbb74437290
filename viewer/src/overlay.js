// Results over each other: what moves in other runs is drawn in one colour each, transparent, and their curves are dashed.
import { element } from "./dom.js";
import { Motion } from "./motion.js";
import { Parts } from "./parts.js";

/** How other runs look: a colour in the picture, dashes in plots. */
const styles = [
  { color: [0.12, 0.47, 0.82], dash: [7, 4] }, { color: [0.88, 0.34, 0.1], dash: [2, 3] }, { color: [0.13, 0.63, 0.35], dash: [9, 3, 2, 3] },
  { color: [0.69, 0.31, 0.82], dash: [4, 4] },
];

/** { run, color, dash, isShown } of the other runs. */
export function makeOverlays(run) {
  return run.others.map((other, i) => ({ run: other, ...styles[i % styles.length], isShown: true }));
}

/** The other runs in the picture. */
export class OverlayView {
  constructor(overlays, scene) {
    this.entries = overlays.map((overlay) => ({ overlay, motion: new Motion(overlay.run), parts: new Parts(overlay.run, scene, overlay.color) }));
  }

  write(time) {
    for (const { overlay, motion, parts } of this.entries) {
      for (const part of parts.list) parts.setState(part, overlay.isShown ? "solid" : "hidden");
      parts.write(motion.sample(time));
    }
  }

  /** Pose [x, y, z, w, x, y, z] of a body of another run as shown. */
  poseOf(index, path) {
    const { overlay, motion } = this.entries[index], body = overlay.run.bodies.findIndex((each) => each.path === path);
    return Array.from(motion.poses.subarray(7 * body, 7 * body + 7));
  }
}

/** The names of all runs with a switch for each other one; null where there is one run. */
export function buildRunKey(run, overlays, onchange) {
  if (overlays.length === 0) return null;
  const swatch = (color) => {
    const node = element("i", { "aria-hidden": "true" });
    if (color) node.style.background = `rgb(${color.map((x) => Math.round(255 * x)).join(" ")})`;
    return node;
  };
  return element("div", { class: "run-key", id: "run-key", role: "group", "aria-label": "Runs" },
    element("span", {}, swatch(null), run.name),
    overlays.map((overlay) => {
      const box = element("input", { type: "checkbox", onchange: () => {
        overlay.isShown = box.checked;
        onchange();
      } });
      box.checked = true;
      return element("label", {}, box, swatch(overlay.color), overlay.run.name);
    }));
}

// Lettering: text shapes, drawn on a canvas and laid into the scene as a picture in the x-y plane of their frame.
import { CanvasTexture, DoubleSide, Group, Mesh, MeshBasicMaterial, PlaneGeometry, SRGBColorSpace } from "three";
import { placeAt } from "./floor.js";
import { lookColor, lookOf } from "./look.js";
import { multiplyPoses } from "./pose.js";

const pixels = 96; // height of the letters on the canvas
const capShare = 0.72; // height of a capital letter in it
const maxCharacters = 200; // longer texts are cut

/** A plane with a text on it; `height` [m] is that of a capital letter. */
function letteringMesh({ string, height }, color) {
  const text = Array.from(String(string)).slice(0, maxCharacters).join("");
  const font = `600 ${pixels}px system-ui, "Segoe UI", "Liberation Sans", sans-serif`;
  const canvas = document.createElement("canvas");
  let pen = canvas.getContext("2d");
  pen.font = font;
  canvas.width = Math.min(8192, Math.ceil(pen.measureText(text).width) + 16);
  canvas.height = Math.ceil(pixels * 1.4);
  pen = canvas.getContext("2d");
  pen.font = font;
  pen.fillStyle = color;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, canvas.width / 2, canvas.height / 2, canvas.width);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 8;
  const metresPerPixel = height / (pixels * capShare);
  const plane = new PlaneGeometry(canvas.width * metresPerPixel, canvas.height * metresPerPixel);
  const material = new MeshBasicMaterial({ map: texture, transparent: true, side: DoubleSide, depthWrite: false, toneMapped: false });
  return new Mesh(plane, material);
}

export class Lettering extends Group {
  #entries = [];

  constructor(run, fallback) {
    super();
    for (const object of run.objects) {
      for (const shape of object.shapes) {
        if (shape.kind !== "text") continue;
        const color = lookColor(lookOf(run, shape) ?? fallback).getStyle();
        const mesh = letteringMesh(shape, color);
        mesh.renderOrder = 2;
        this.#entries.push({ mesh, object, pose: run.shapePose(object, shape) });
        this.add(mesh);
      }
    }
  }

  write(bodyPoses, isVisible) {
    const pose = new Float64Array(7);
    for (const { mesh, object, pose: local } of this.#entries) {
      mesh.visible = isVisible(object);
      multiplyPoses(bodyPoses, 7 * object.body, local, 0, pose, 0);
      placeAt(mesh, pose);
    }
  }
}

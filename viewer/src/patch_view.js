// Patches in the picture: where surfaces press on each other, coloured by their pressure.
//
// The corners of a sample are its deepest point and the outline around it: a fan of triangles. Each has a pressure, and
// colours between are blended. Patches are shown at the nearer output point, as their corners come and go.
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Group, Mesh, MeshBasicMaterial } from "three";

const stride = 4; // numbers of a corner: point, pressure
const faint = 0.8; // opacity of what is seen through solid parts: patches mostly lie inside
const lift = 2e-3; // [1] of the scene's radius, towards the second object: above the floor that it lies on

/** Colours from no pressure to the largest: red, green, blue from 0 to 1. */
const ramp = [[0.16, 0.2, 0.62], [0.1, 0.56, 0.82], [0.2, 0.75, 0.45], [0.98, 0.83, 0.15], [0.86, 0.16, 0.12]];

/** The colour of a share of the largest pressure. */
export function pressureColor(share) {
  const at = Math.max(0, Math.min(1, share || 0)) * (ramp.length - 1), i = Math.min(ramp.length - 2, Math.floor(at));
  return ramp[i].map((value, k) => value + (at - i) * (ramp[i + 1][k] - value));
}

export class PatchView extends Group {
  constructor(run, size) {
    super();
    this.run = run;
    this.size = size;
    this.refresh();
    this.count = 0;
    const material = new MeshBasicMaterial({ vertexColors: true, side: DoubleSide, toneMapped: false });
    const ghost = material.clone();
    Object.assign(ghost, { transparent: true, opacity: faint, depthTest: false, depthWrite: false });
    this.meshes = [material, ghost].map((each, i) => {
      const mesh = new Mesh(new BufferGeometry(), each);
      mesh.frustumCulled = false;
      mesh.renderOrder = 3 - i;
      return mesh;
    });
    this.add(...this.meshes);
    this.#reserve(64);
  }

  /** Scales the colours to what the run holds by now. */
  refresh() {
    this.largest = largestPressure(this.run.contacts);
  }

  /** Whether the run has any patches, or may get them. */
  get isUsed() {
    return this.largest > 0 || (this.run.live !== null && this.run.liveEnd === null);
  }

  #reserve(triangles) {
    if (triangles <= this.capacity) return;
    this.capacity = 2 ** Math.ceil(Math.log2(triangles));
    this.meshes[0].geometry.dispose();
    const geometry = new BufferGeometry();
    for (const name of ["position", "color"]) {
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(9 * this.capacity), 3).setUsage(DynamicDrawUsage));
    }
    for (const mesh of this.meshes) mesh.geometry = geometry;
  }

  /** Draws the patches of an output point. */
  write(row) {
    const { starts, cornerStarts, corners, samples } = this.run.contacts;
    const first = starts[row], last = starts[row + 1];
    let triangles = 0;
    for (let i = first; i < last; i++) triangles += Math.max(0, cornerStarts[i + 1] - cornerStarts[i] - 1);
    this.#reserve(triangles);
    const { position, color } = this.meshes[0].geometry.attributes;
    let at = 0;
    for (let i = first; i < last; i++) {
      const begin = cornerStarts[i], end = cornerStarts[i + 1];
      const up = [4, 5, 6].map((k) => samples[11 * i + k] * lift * this.size);
      for (let k = begin + 1; k < end; k++, at++) {
        [begin, k, k + 1 < end ? k + 1 : begin + 1].forEach((corner, v) => {
          const from = stride * corner, to = 9 * at + 3 * v;
          for (let axis = 0; axis < 3; axis++) position.array[to + axis] = corners[from + axis] + up[axis];
          color.array.set(pressureColor(corners[from + 3] / this.largest), to);
        });
      }
    }
    this.count = at;
    position.needsUpdate = color.needsUpdate = true;
    this.meshes[0].geometry.setDrawRange(0, 3 * at);
    for (const mesh of this.meshes) mesh.visible = at > 0;
  }

  hide() {
    this.count = 0;
    for (const mesh of this.meshes) mesh.visible = false;
  }
}

/** A pressure that few corners exceed [N/m^2]: what the map ends at; 0: there are no patches. */
function largestPressure(contacts) {
  if (!contacts?.corners?.length) return 0;
  const step = stride * Math.max(1, Math.floor(contacts.corners.length / stride / 20000));
  const values = [];
  for (let i = 3; i < contacts.corners.length; i += step) if (contacts.corners[i] > 0) values.push(contacts.corners[i]);
  values.sort((a, b) => a - b);
  return values[Math.floor(0.9 * values.length)] ?? 0;
}

// Arrows: any number of them in two draw calls, shafts and heads.
import { Color, CylinderGeometry, Group, InstancedMesh, MeshStandardMaterial } from "three";
import { turnToDirection, writeMatrix } from "./pose.js";

const headShare = 2.6; // width of a head in shaft widths
const headLength = 3.4; // length of a head in head radii

export class Arrows extends Group {
  #capacity = 0;

  /** `isOnTop`: seen through everything. */
  constructor(color, { isOnTop = true, hasHeads = true } = {}) {
    super();
    this.material = new MeshStandardMaterial({
      color: new Color(color), emissive: new Color(color), emissiveIntensity: 0.35, roughness: 0.5,
      depthTest: !isOnTop, transparent: true, opacity: isOnTop ? 0.92 : 1,
    });
    this.hasHeads = hasHeads;
    this.count = 0;
    this.#grow(16);
  }

  #grow(capacity) {
    for (const mesh of [this.shafts, this.heads]) {
      mesh?.removeFromParent();
      mesh?.dispose();
    }
    this.shafts = this.#makeMesh(new CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5), capacity);
    this.heads = this.#makeMesh(new CylinderGeometry(0, 1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5), capacity);
    this.heads.visible = this.hasHeads;
    this.#capacity = capacity;
  }

  #makeMesh(geometry, capacity) {
    const mesh = new InstancedMesh(geometry, this.material, capacity);
    mesh.frustumCulled = false;
    mesh.renderOrder = 5;
    mesh.count = 0;
    this.add(mesh);
    return mesh;
  }

  /** Starts anew, with room for `count` arrows. */
  begin(count) {
    if (count > this.#capacity) this.#grow(2 ** Math.ceil(Math.log2(count)));
    this.count = 0;
  }

  /** Adds an arrow from a point along a vector, `width` being the radius of its shaft. */
  put(p, vector, width) {
    const length = Math.hypot(...vector);
    if (!(length > 0)) return;
    const turn = turnToDirection(vector);
    const head = this.hasHeads ? Math.min(headShare * width, (0.6 * length) / headLength) : 0;
    const shaft = length - headLength * head;
    const base = vector.map((value, i) => p[i] + (value * shaft) / length);
    const thin = Math.min(width, 0.25 * length);
    writeMatrix([...p, ...turn], 0, [thin, thin, shaft], this.shafts.instanceMatrix.array, 16 * this.count);
    writeMatrix([...base, ...turn], 0, [head, head, headLength * head], this.heads.instanceMatrix.array, 16 * this.count);
    this.count++;
  }

  end() {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.count;
      mesh.visible = this.count > 0 && (mesh === this.shafts || this.hasHeads);
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

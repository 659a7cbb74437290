// Arrows: any number of them in two draw calls, shafts and heads.
import { Color, CylinderGeometry, Group, InstancedMesh, MeshStandardMaterial } from "three";
import { writeMatrix } from "./pose.js";

const headShare = 2.6; // width of a head in shaft widths
const headLength = 3.4; // length of a head in head radii
const faint = 0.22; // opacity of what is seen through solid parts

/**
 * Instances of one geometry that can be seen through solid parts, faintly: a mesh, and another one with the same matrices
 * that is drawn over everything.
 */
export class SeenThrough extends Group {
  #geometry;
  #materials;

  constructor(geometry, material, isSeenThrough = true) {
    super();
    this.#geometry = geometry;
    const ghost = material.clone();
    Object.assign(ghost, { transparent: true, opacity: faint, depthTest: false, depthWrite: false });
    this.#materials = isSeenThrough ? [material, ghost] : [material];
    this.reserve(16);
  }

  /** Makes room for so many instances; their matrices are lost. */
  reserve(capacity) {
    if (capacity <= this.capacity) return;
    this.capacity = 2 ** Math.ceil(Math.log2(capacity));
    for (const mesh of [...this.children]) {
      mesh.removeFromParent();
      mesh.dispose();
    }
    this.#materials.forEach((material, i) => {
      const mesh = new InstancedMesh(this.#geometry, material, this.capacity);
      mesh.frustumCulled = false;
      mesh.renderOrder = 5 - i;
      if (i > 0) mesh.instanceMatrix = this.children[0].instanceMatrix;
      this.add(mesh);
    });
  }

  get matrices() {
    return this.children[0].instanceMatrix.array;
  }

  /** Shows the first `count` instances. */
  show(count) {
    for (const mesh of this.children) {
      mesh.count = count;
      mesh.visible = count > 0;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

export class Arrows extends Group {
  /** `sides` of shafts; heads have a third more. */
  constructor(color, isSeenThrough = true, sides = 12) {
    super();
    const material = new MeshStandardMaterial({ color: new Color(color), emissive: new Color(color), emissiveIntensity: 0.35, roughness: 0.5 });
    this.shafts = new SeenThrough(new CylinderGeometry(1, 1, 1, sides, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5), material, isSeenThrough);
    this.heads = new SeenThrough(new CylinderGeometry(0, 1, 1, Math.ceil((4 * sides) / 3)).rotateX(Math.PI / 2).translate(0, 0, 0.5), material, isSeenThrough);
    this.add(this.shafts, this.heads);
    this.count = 0;
  }

  /** Starts anew, with room for `count` arrows. */
  begin(count) {
    this.shafts.reserve(count);
    this.heads.reserve(count);
    this.count = 0;
  }

  /** Adds an arrow from a point along a vector, `width` being the radius of its shaft. */
  put(p, vector, width) {
    this.putAt(p, 0, vector[0], vector[1], vector[2], width);
  }

  /** The same from three numbers of an array on, and without making anything: there may be many. */
  putAt(points, at, x, y, z, width) {
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0)) return;
    const head = Math.min(headShare * width, (0.6 * length) / headLength), shaft = length - headLength * head;
    const thin = Math.min(width, 0.25 * length), along = z / length;
    // the quaternion that turns the z axis into the vector
    const w = along < -0.999999 ? 0 : Math.sqrt((1 + along) / 2);
    pose[3] = w;
    pose[4] = w === 0 ? 1 : -y / length / (2 * w);
    pose[5] = w === 0 ? 0 : x / length / (2 * w);
    pose[6] = 0;
    for (let i = 0; i < 3; i++) pose[i] = points[at + i];
    size[0] = size[1] = thin;
    size[2] = shaft;
    writeMatrix(pose, 0, size, this.shafts.matrices, 16 * this.count);
    pose[0] += (x * shaft) / length;
    pose[1] += (y * shaft) / length;
    pose[2] += (z * shaft) / length;
    size[0] = size[1] = head;
    size[2] = headLength * head;
    writeMatrix(pose, 0, size, this.heads.matrices, 16 * this.count);
    this.count++;
  }

  end() {
    this.shafts.show(this.count);
    this.heads.show(this.count);
  }
}

const pose = new Float64Array(7), size = new Float64Array(3);

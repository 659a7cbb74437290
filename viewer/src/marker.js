// Markers: frames of objects and axes of joints, shown on demand, and the outline of the selected object.
import { BackSide, Group, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial } from "three";
import { Arrows } from "./arrow.js";
import { describeShape } from "./geometry.js";
import { matrixOf } from "./parts.js";
import { multiplyPoses, rotateVector, writeMatrix } from "./pose.js";

/** Frames of all objects as coloured arrows, x red, y green, z blue. */
export class FrameMarkers extends Group {
  constructor(run, bounds) {
    super();
    this.run = run;
    this.visible = false;
    this.length = 0.11 * bounds.radius;
    const material = new MeshStandardMaterial({ vertexColors: true, depthTest: false, transparent: true, roughness: 0.6 });
    this.mesh = new InstancedMesh(describeShape({ kind: "coordinateSystem", length: 1 }).make(), material, run.objects.length);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 4;
    this.add(this.mesh);
  }

  write(bodyPoses, isVisible) {
    if (!this.visible) return;
    const pose = new Float64Array(7);
    let count = 0;
    for (const object of this.run.objects) {
      if (!isVisible(object)) continue;
      multiplyPoses(bodyPoses, 7 * object.body, object.pose, 0, pose, 0);
      writeMatrix(pose, 0, [this.length, this.length, this.length], this.mesh.instanceMatrix.array, 16 * count++);
    }
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

const jointsWithAxis = new Set(["revolute", "prismatic", "cylindrical", "screw", "helical"]);

/** Axes of the joints, as arrows through the origin of the second object. */
export class JointMarkers extends Group {
  constructor(run, bounds) {
    super();
    this.run = run;
    this.visible = false;
    this.length = 0.3 * bounds.radius;
    this.arrows = new Arrows("#8a3ffc");
    this.add(this.arrows);
  }

  write(bodyPoses, width) {
    if (!this.visible) return;
    const pose = new Float64Array(7);
    this.arrows.begin(this.run.joints.length);
    for (const joint of this.run.joints) {
      const object = this.run.objectOf.get(joint.objectB);
      if (!object || !joint.axis || !(jointsWithAxis.has(joint.kind) || joint.kind === undefined)) continue;
      multiplyPoses(bodyPoses, 7 * object.body, object.pose, 0, pose, 0);
      const along = rotateVector(pose, 0, joint.axis).map((x) => x * this.length);
      this.arrows.put([0, 1, 2].map((i) => pose[i] - along[i] / 2), along, 0.8 * width);
    }
    this.arrows.end();
  }
}

/** The outline of the selected object: its parts once more, a little larger, seen from inside. */
export class Outline extends Group {
  #shells = [];

  constructor() {
    super();
    this.material = new MeshBasicMaterial({ color: "#ff9d00", side: BackSide, toneMapped: false });
  }

  setParts(parts) {
    this.clear();
    this.#shells = parts.filter((part) => !part.batch.look.wireframe).map((part) => {
      const mesh = new Mesh(part.batch.geometry, this.material);
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      this.add(mesh);
      return { part, mesh };
    });
  }

  /** `rim` [m] is the width of the outline. */
  write(bodyPoses, rim) {
    for (const { part, mesh } of this.#shells) {
      mesh.visible = part.state !== "hidden";
      const { centre, extent } = part.batch;
      const grow = extent.map((half, i) => 1 + rim / Math.max(half * part.scale[i], 0.2 * rim));
      const shift = centre.map((x, i) => x * (1 - grow[i]));
      matrixOf(part, bodyPoses, mesh.matrix).multiply(scaling.set(
        grow[0], 0, 0, shift[0], 0, grow[1], 0, shift[1], 0, 0, grow[2], shift[2], 0, 0, 0, 1));
      mesh.matrixWorldNeedsUpdate = true;
    }
  }
}

const scaling = new Matrix4();

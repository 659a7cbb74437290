// Parts: the solid shapes of the scene, drawn in batches. Shapes with the same geometry and the same kind of look are the
// instances of one mesh, so that a thousand bodies take a few draw calls.
//
// A part is solid, a ghost (drawn nearly transparent) or hidden. A batch has one mesh for its solids and one for its ghosts;
// parts change places when their state changes, which is rare; matrices are written for every picture.
import { InstancedBufferAttribute, InstancedMesh, Matrix4, Sphere, Vector3 } from "three";
import { describeShape } from "./geometry.js";
import { contactLook, defaultLook, lookColor, lookKey, lookMaterial, lookOf } from "./look.js";
import { multiplyPoses, transformPoint, writeMatrix } from "./pose.js";

const ghostOpacity = 0.16;
const manyParts = 150; // from so many on, round shapes are drawn with fewer flats
const crowdedParts = 3000; // and with still fewer
const tintLook = Object.freeze({ name: "other run", opacity: 0.45, shininess: 0.3, shadows: false });
const everywhere = new Sphere(new Vector3(), Infinity);

export class Parts {
  /** `tint`: draws what moves alone, all in this colour and transparent; as another run looks over this one. */
  constructor(run, scene, tint = null) {
    this.run = run;
    this.scene = scene;
    this.tint = tint;
    this.list = [];
    this.batches = new Map();
    const hasLooks = run.objects.some((object) => object.shapes.some((shape) => lookOf(run, shape)));
    this.hasContactShapes = run.objects.some((object) => object.shapes.some((shape) => shape.isContact));
    const count = run.objects.reduce((sum, object) => sum + object.shapes.length, 0);
    const segments = count > crowdedParts ? 12 : count > manyParts ? 20 : 48;
    for (const object of run.objects) {
      for (const shape of object.shapes) this.#add(object, shape, hasLooks, segments);
    }
    for (const batch of this.batches.values()) scene.add(...batch.build());
    this.partsOf = groupByObject(this.list);
    this.write(new Float64Array(7 * run.bodies.length).map((_, i) => (i % 7 === 3 ? 1 : 0)), true);
  }

  /** Adds what touches as wires, beside what is seen of it; once, when somebody asks for it. */
  addContactShapes() {
    if (this.isContactAdded) return;
    this.isContactAdded = true;
    const known = new Set(this.batches.values()), segments = this.list.length > manyParts ? 12 : 20;
    for (const object of this.run.objects) {
      for (const shape of object.shapes) {
        if (shape.isContact) this.#addWith(object, shape, contactLook, segments);
      }
    }
    for (const batch of this.batches.values()) if (!known.has(batch)) this.scene.add(...batch.build());
    this.partsOf = groupByObject(this.list);
  }

  #add(object, shape, hasLooks, segments) {
    const look = lookOf(this.run, shape);
    if (this.tint) {
      const isDrawn = (look || !hasLooks) && this.run.bodies[object.body]?.poses && shape.kind !== "coordinateSystem";
      if (isDrawn) this.#addWith(object, shape, { ...tintLook, color: this.tint }, segments);
    } else if (look || !hasLooks) this.#addWith(object, shape, look ?? defaultLook, segments);
  }

  #addWith(object, shape, look, segments) {
    const description = describeShape(shape, this.run);
    if (!description) return;
    const isStill = this.run.bodies[object.body]?.poses == null;
    const key = [description.key, lookKey(look), isStill].join(" | ");
    if (!this.batches.has(key)) this.batches.set(key, new Batch(description, look, isStill, segments));
    const batch = this.batches.get(key);
    const part = {
      object, batch, isStill,
      isContactOnly: look === contactLook,
      color: lookColor(look),
      pose: this.run.shapePose(object, shape),
      scale: description.scale,
      state: look === contactLook ? "hidden" : "solid",
      wanted: "solid",
      slot: -1,
    };
    batch.parts.push(part);
    this.list.push(part);
  }

  /** Sets the state of a part: "solid", "ghost" or "hidden". */
  setState(part, state) {
    if (part.state === state) return;
    part.state = state;
    part.batch.isStale = true;
  }

  /** Writes the matrices for these poses of the bodies; still ones only when something else changed. */
  write(bodyPoses, isForced = false) {
    for (const batch of this.batches.values()) {
      const isStale = batch.isStale;
      if (isStale) batch.arrange();
      if (!batch.isStill || isStale || isForced) batch.write(bodyPoses);
    }
  }

  /** The part that a ray of a Raycaster meets first: { part, point }, or null. */
  pick(raycaster) {
    let nearest = null;
    for (const batch of this.batches.values()) {
      for (const mesh of [batch.solid, batch.ghost]) {
        if (mesh.count === 0 || (mesh === batch.ghost && nearest)) continue;
        const hit = raycaster.intersectObject(mesh, false)[0];
        if (hit && (!nearest || hit.distance < nearest.distance)) {
          nearest = { distance: hit.distance, point: hit.point, part: mesh.userData.parts[hit.instanceId] };
        }
      }
    }
    return nearest;
  }

  /** Centre [m] and radius [m] of a ball around a part. */
  ballOf(part, bodyPoses) {
    const { centre, extent } = part.batch;
    const local = [0, 1, 2].map((i) => centre[i] * part.scale[i]);
    const inBody = transformPoint(part.pose, 0, local);
    const radius = Math.hypot(...extent.map((value, i) => value * part.scale[i]));
    return { centre: transformPoint(bodyPoses, 7 * part.object.body, inBody), radius };
  }

  /** The box of the world { low, high } [m] around a part: exact for balls, else around its own turned box. */
  boxOf(part, bodyPoses) {
    const m = matrixOf(part, bodyPoses, boxMatrix).elements;
    const { centre, extent, description } = part.batch;
    const middle = [0, 1, 2].map((i) => m[12 + i] + m[i] * centre[0] + m[4 + i] * centre[1] + m[8 + i] * centre[2]);
    const half = [0, 1, 2].map((i) => (description.key === "sphere"
      ? Math.hypot(m[i], m[4 + i], m[8 + i])
      : Math.abs(m[i]) * extent[0] + Math.abs(m[4 + i]) * extent[1] + Math.abs(m[8 + i]) * extent[2]));
    return { low: middle.map((x, i) => x - half[i]), high: middle.map((x, i) => x + half[i]) };
  }

  /** The eight corners of a part's box. */
  cornersOf(part, bodyPoses) {
    const { centre, extent } = part.batch;
    return corners.map((corner) => {
      const local = corner.map((sign, i) => (centre[i] + sign * extent[i]) * part.scale[i]);
      return transformPoint(bodyPoses, 7 * part.object.body, transformPoint(part.pose, 0, local));
    });
  }

  /** Is a part's box met by the line from a to b? */
  isBetween(part, bodyPoses, a, b) {
    multiplyPoses(bodyPoses, 7 * part.object.body, part.pose, 0, scratch, 0);
    const p = toLocal(scratch, a), q = toLocal(scratch, b);
    const { centre, extent } = part.batch;
    let enter = 0, leave = 0.999;
    for (let i = 0; i < 3; i++) {
      const low = (centre[i] - extent[i]) * part.scale[i], high = (centre[i] + extent[i]) * part.scale[i];
      const step = q[i] - p[i];
      if (Math.abs(step) < 1e-12) {
        if (p[i] < low || p[i] > high) return false;
        continue;
      }
      const t0 = (low - p[i]) / step, t1 = (high - p[i]) / step;
      enter = Math.max(enter, Math.min(t0, t1));
      leave = Math.min(leave, Math.max(t0, t1));
    }
    return enter <= leave;
  }
}

const scratch = new Float64Array(7);
const boxMatrix = new Matrix4();
const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1]);

/** R^T (p - p0) of a pose. */
function toLocal(pose, p) {
  const inverse = [0, 0, 0, pose[3], -pose[4], -pose[5], -pose[6]];
  return transformPoint(inverse, 0, [p[0] - pose[0], p[1] - pose[1], p[2] - pose[2]]);
}

function groupByObject(parts) {
  const groups = new Map();
  for (const part of parts) {
    if (!groups.has(part.object)) groups.set(part.object, []);
    groups.get(part.object).push(part);
  }
  return groups;
}

class Batch {
  constructor(description, look, isStill, segments) {
    this.description = description;
    this.look = look;
    this.isStill = isStill;
    this.segments = segments;
    this.parts = [];
    this.isStale = true;
  }

  /** Makes the two meshes. */
  build() {
    const { description, look } = this;
    const geometry = description.make(this.segments);
    geometry.computeBoundingBox();
    const centre = geometry.boundingBox.getCenter(new Vector3()), size = geometry.boundingBox.getSize(new Vector3());
    this.centre = centre.toArray();
    this.extent = size.multiplyScalar(0.5).toArray();
    this.geometry = geometry;
    const hasColors = description.hasColors === true;
    this.solid = this.#makeMesh(geometry, lookMaterial(look, { hasColors }));
    this.ghost = this.#makeMesh(geometry, lookMaterial(look, { hasColors, opacity: ghostOpacity }));
    this.solid.castShadow = look.shadows !== false && (look.opacity ?? 1) > 0.5 && !look.wireframe;
    this.solid.receiveShadow = look.shadows !== false;
    return [this.solid, this.ghost];
  }

  #makeMesh(geometry, material) {
    const mesh = new InstancedMesh(geometry, material, this.parts.length);
    mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * this.parts.length), 3);
    mesh.frustumCulled = false; // parts move: their common ball would have to be computed for every picture
    mesh.boundingSphere = everywhere;
    mesh.count = 0;
    return mesh;
  }

  /** Gives every visible part a slot in the mesh of its state. */
  arrange() {
    for (const [mesh, state] of [[this.solid, "solid"], [this.ghost, "ghost"]]) {
      const parts = this.parts.filter((part) => part.state === state);
      const isFrame = this.description.hasColors;
      parts.forEach((part, slot) => (isFrame ? white : part.color).toArray(mesh.instanceColor.array, 3 * slot));
      mesh.instanceColor.needsUpdate = true;
      Object.assign(mesh.userData, { parts, ...flatten(parts) });
      mesh.count = parts.length;
      mesh.visible = parts.length > 0;
    }
    this.isStale = false;
  }

  /** Writes the matrices of all that is seen, from flat copies of what they are made of: there may be ten thousand. */
  write(bodyPoses) {
    for (const mesh of [this.solid, this.ghost]) {
      if (mesh.count === 0) continue;
      const matrices = mesh.instanceMatrix.array, { bodies, poses, scales, isOwn } = mesh.userData;
      for (let slot = 0; slot < bodies.length; slot++) {
        const body = 7 * bodies[slot];
        scale[0] = scales[3 * slot];
        scale[1] = scales[3 * slot + 1];
        scale[2] = scales[3 * slot + 2];
        if (isOwn) {
          writeMatrix(bodyPoses, body, scale, matrices, 16 * slot);
        } else {
          multiplyPoses(bodyPoses, body, poses, 7 * slot, scratch, 0);
          writeMatrix(scratch, 0, scale, matrices, 16 * slot);
        }
      }
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

const scale = new Float64Array(3);

/** What the matrices of parts are made of, as flat arrays; `isOwn`: all lie in the frames of their bodies. */
function flatten(parts) {
  return {
    bodies: Int32Array.from(parts, (part) => part.object.body),
    poses: Float64Array.from(parts.flatMap((part) => Array.from(part.pose))),
    scales: Float64Array.from(parts.flatMap((part) => Array.from(part.scale))),
    isOwn: parts.every(({ pose }) => pose.every((value, i) => value === (i === 3 ? 1 : 0))),
  };
}

const white = { toArray: (array, at) => array.fill(1, at, at + 3) };

/** The matrix of a part as last computed from these poses. */
export function matrixOf(part, bodyPoses, out = new Matrix4()) {
  multiplyPoses(bodyPoses, 7 * part.object.body, part.pose, 0, scratch, 0);
  writeMatrix(scratch, 0, part.scale, out.elements, 0);
  return out;
}

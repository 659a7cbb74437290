// Geometry of shapes. A shape becomes a geometry that others of its kind share (`key`) and a scale of its own, so that a
// thousand boxes of different sizes are one mesh, drawn once. The axis of a shape is z, of a beam x.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, SphereGeometry,
} from "three";

const creaseCosine = Math.cos(0.6); // [rad] edges of a mesh sharper than this stay sharp

/**
 * { key, scale, make } of a shape, or null where it is no solid body (half-spaces, grids and text are drawn elsewhere).
 * `make(segments)` gives the geometry; `segments` is the number of flats around a round one.
 */
export function describeShape(shape, run) {
  return kinds[shape.kind]?.(shape, run) ?? null;
}

const kinds = {
  sphere: ({ radius }) => ({ key: "sphere", scale: [radius, radius, radius], make: makeSphere }),
  ellipsoid: ({ radii }) => ({ key: "sphere", scale: radii, make: makeSphere }),
  box: ({ size }) => ({ key: "box", scale: size, make: () => new BoxGeometry(1, 1, 1) }),
  cylinder: ({ radius, length, boreRadius = 0 }) => ({
    key: `cylinder ${ratio(boreRadius, radius)}`,
    scale: [radius, radius, length],
    make: (segments) => (boreRadius > 0
      ? prism(circle(1, segments), circle(boreRadius / radius, segments), 1)
      : new CylinderGeometry(1, 1, 1, segments).rotateX(Math.PI / 2)),
  }),
  cone: ({ radius, topRadius = 0, length }) => ({
    key: `cone ${ratio(topRadius, radius)}`,
    scale: [radius, radius, length],
    make: (segments) => new CylinderGeometry(topRadius / radius, 1, 1, segments).rotateX(Math.PI / 2).translate(0, 0, 0.5),
  }),
  capsule: ({ radius, length }) => ({
    key: `capsule ${ratio(length, radius)}`,
    scale: [radius, radius, radius],
    make: (segments) => new CapsuleGeometry(1, length / radius, Math.ceil(segments / 4), segments, 1).rotateX(Math.PI / 2),
  }),
  beam: ({ length, width, height }) => ({
    key: `beam ${ratio(length, width)}`,
    scale: [width, width, height],
    make: (segments) => prism(stadium(length / width, segments), null, 1),
  }),
  hull: (shape, run) => meshKind(shape, run),
  mesh: (shape, run) => meshKind(shape, run),
  coordinateSystem: ({ length }) => ({ key: "frame", scale: [length, length, length], make: makeFrame, hasColors: true }),
  coil: ({ radius, length, wireRadius, windings }) => ({
    key: `coil ${ratio(length, radius)} ${ratio(wireRadius, radius)} ${windings}`,
    scale: [radius, radius, radius],
    make: () => makeCoil(length / radius, wireRadius / radius, windings),
  }),
  gearWheel: ({ radius, boreRadius = 0, length, teeth }) => ({
    key: `gear ${ratio(boreRadius, radius)} ${teeth}`,
    scale: [radius, radius, length],
    make: () => makeGear(teeth, boreRadius / radius),
  }),
};

function ratio(a, b) {
  return (a / b).toPrecision(6);
}

function makeSphere(segments) {
  return new SphereGeometry(1, segments, Math.ceil(segments / 2)).rotateX(Math.PI / 2);
}

function meshKind(shape, run) {
  const mesh = run.meshes[shape.mesh];
  if (!mesh) return null;
  return { key: `mesh ${shape.mesh}`, scale: [1, 1, 1], make: () => creased(run.block(mesh.points), mesh.triangles) };
}

/** Points of a circle, counterclockwise: [x, y, nx, ny]. */
function circle(radius, segments) {
  return Array.from({ length: segments }, (_, i) => {
    const c = Math.cos((2 * Math.PI * i) / segments), s = Math.sin((2 * Math.PI * i) / segments);
    return [radius * c, radius * s, c, s];
  });
}

/** Two half circles of diameter 1, `length` apart along x. */
function stadium(length, segments) {
  const half = Math.ceil(segments / 2);
  const end = (centre, start) => Array.from({ length: half + 1 }, (_, i) => {
    const c = Math.cos(start + (Math.PI * i) / half), s = Math.sin(start + (Math.PI * i) / half);
    return [centre + c / 2, s / 2, c, s];
  });
  return [...end(length / 2, -Math.PI / 2), ...end(-length / 2, Math.PI / 2)];
}

/** A body of triangles that is being written: positions and normals, no corner shared. */
class Triangles {
  positions = [];
  normals = [];

  add(corners, normals) {
    corners.forEach((corner) => this.positions.push(...corner));
    normals.forEach((normal) => this.normals.push(...normal));
  }

  /** A quadrangle a b c d with normals of its corners. */
  addQuad([a, b, c, d], [na, nb, nc, nd]) {
    this.add([a, b, c], [na, nb, nc]);
    this.add([a, c, d], [na, nc, nd]);
  }

  finish() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.positions), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(this.normals), 3));
    return geometry;
  }
}

/**
 * A prism along z, centred, from an outline seen from its middle and an inner outline with as many points, or none. Points
 * are [x, y, nx, ny, mx, my]: n is the normal towards the last point, m (if given) towards the next: a sharp edge.
 */
export function prism(outer, inner, height) {
  const body = new Triangles();
  const z = height / 2, count = outer.length;
  for (let i = 0; i < count; i++) {
    const p = outer[i], q = outer[(i + 1) % count];
    addWall(body, p, q, z, 1);
    const a = inner?.[i] ?? [0, 0], b = inner?.[(i + 1) % count] ?? [0, 0];
    if (inner) addWall(body, b, a, z, -1);
    for (const side of [1, -1]) addCap(body, [a, p, q, b], z, side);
  }
  return body.finish();
}

function addWall(body, p, q, z, sign) {
  const np = [sign * (p[4] ?? p[2]), sign * (p[5] ?? p[3]), 0], nq = [sign * q[2], sign * q[3], 0];
  body.addQuad([[p[0], p[1], -z], [q[0], q[1], -z], [q[0], q[1], z], [p[0], p[1], z]], [np, nq, nq, np]);
}

function addCap(body, corners, z, side) {
  const points = corners.map((corner) => [corner[0], corner[1], side * z]);
  if (side < 0) points.reverse();
  const normal = [0, 0, side];
  body.addQuad(points, [normal, normal, normal, normal]);
}

/** A spur gear with teeth of trapezes; outer radius and length 1. */
function makeGear(teeth, bore) {
  const root = Math.max(bore * 1.1, 1 - 4.5 / (teeth + 2)); // whole depth 2.25 modules, module 2 / (z + 2)
  const profile = [[-0.27, root], [-0.11, 1], [0.11, 1], [0.27, root]]; // angle in tooth pitches, radius
  const points = [];
  for (let i = 0; i < teeth; i++) {
    for (const [angle, radius] of profile) {
      const a = (2 * Math.PI * (i + angle)) / teeth;
      points.push([radius * Math.cos(a), radius * Math.sin(a)]);
    }
  }
  const outer = sharpOutline(points);
  const inner = bore > 0 ? points.map(([x, y]) => {
    const r = Math.hypot(x, y);
    return [(bore * x) / r, (bore * y) / r, x / r, y / r];
  }) : null;
  return prism(outer, inner, 1);
}

/** Adds to each point the normals of its two edges. */
function sharpOutline(points) {
  const normal = (p, q) => {
    const length = Math.hypot(q[0] - p[0], q[1] - p[1]);
    return [(q[1] - p[1]) / length, (p[0] - q[0]) / length];
  };
  const count = points.length;
  return points.map((p, i) => [...p, ...normal(points[(i + count - 1) % count], p), ...normal(p, points[(i + 1) % count])]);
}

/** Three arrows of length 1 along x, y, z, in red, green, blue. */
function makeFrame() {
  const colors = [[0.85, 0.18, 0.16], [0.16, 0.62, 0.25], [0.13, 0.4, 0.85]];
  const turns = [(part) => part.rotateY(Math.PI / 2), (part) => part.rotateX(-Math.PI / 2), (part) => part];
  const positions = [], normals = [], vertexColors = [];
  for (let axis = 0; axis < 3; axis++) {
    const parts = [
      new CylinderGeometry(0.022, 0.022, 0.8, 12).rotateX(Math.PI / 2).translate(0, 0, 0.4),
      new CylinderGeometry(0, 0.06, 0.2, 16).rotateX(Math.PI / 2).translate(0, 0, 0.9),
    ];
    for (const part of parts) {
      const flat = turns[axis](part).toNonIndexed();
      positions.push(...flat.getAttribute("position").array);
      normals.push(...flat.getAttribute("normal").array);
      for (let i = 0; i < flat.getAttribute("position").count; i++) vertexColors.push(...colors[axis]);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(vertexColors), 3));
  return geometry;
}

/** Triangles of a file, with smooth normals but for its sharp edges. */
function creased(points, triangles) {
  const corner = (index) => [points[3 * index], points[3 * index + 1], points[3 * index + 2]];
  const faces = triangles.map(([a, b, c]) => faceNormal(corner(a), corner(b), corner(c)));
  const around = new Map(); // faces at a point, by position: files repeat their points
  const name = (index) => corner(index).join();
  triangles.forEach((triangle, face) => triangle.forEach((index) => {
    const key = name(index);
    if (!around.has(key)) around.set(key, []);
    around.get(key).push(face);
  }));
  const body = new Triangles();
  triangles.forEach((triangle, face) => {
    const normals = triangle.map((index) => smoothNormal(faces, face, around.get(name(index))));
    body.add(triangle.map(corner), normals);
  });
  return body.finish();
}

/** Normal of a triangle, as long as twice its area. */
function faceNormal(a, b, c) {
  const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]], v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

/** Mean normal of those faces around a corner that lie flat to this one. */
function smoothNormal(faces, face, neighbours) {
  const own = faces[face], length = Math.hypot(...own);
  const sum = [0, 0, 0];
  for (const other of neighbours) {
    const n = faces[other];
    const dot = own[0] * n[0] + own[1] * n[1] + own[2] * n[2];
    if (dot >= creaseCosine * length * Math.hypot(...n)) for (let i = 0; i < 3; i++) sum[i] += n[i];
  }
  const total = Math.hypot(...sum) || 1;
  return sum.map((value) => value / total);
}

const coilSteps = 20; // segments of a winding
const wireSides = 8; // flats around the wire

/** A coil about z, centred, winding radius 1. */
function makeCoil(length, wire, windings) {
  const geometry = coilGeometry(windings);
  shapeCoil(geometry, { radius: 1, start: -length / 2, length, wire, windings, lead: 0 });
  return geometry;
}

/** An empty coil, to be shaped by shapeCoil as often as its length changes. */
export function coilGeometry(windings) {
  return tubeGeometry(windings * coilSteps + 1);
}

/** An empty tube of so many rings, to be shaped as often as it moves. */
export function tubeGeometry(rings) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * rings * wireSides), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(3 * rings * wireSides), 3));
  const index = [];
  for (let i = 0; i + 1 < rings; i++) {
    for (let j = 0; j < wireSides; j++) {
      const a = i * wireSides + j, b = i * wireSides + ((j + 1) % wireSides);
      index.push(a, b, a + wireSides, b, b + wireSides, a + wireSides);
    }
  }
  geometry.setIndex(index);
  return geometry;
}

/**
 * Writes the points of a coil about z from `start` on: c(s) = (r cos a, r sin a, z), around it the wire. Over the `lead`, a
 * share of the length at both ends, the winding closes in on the axis.
 */
export function shapeCoil(geometry, { radius, start, length, wire, windings, lead }) {
  const position = geometry.getAttribute("position"), normal = geometry.getAttribute("normal");
  const rings = position.count / wireSides;
  const climb = length / (2 * Math.PI * windings);
  let k = 0;
  for (let i = 0; i < rings; i++) {
    const s = i / (rings - 1), a = 2 * Math.PI * windings * s;
    const r = radius * (lead > 0 ? Math.min(1, s / lead, (1 - s) / lead) : 1);
    const c = Math.cos(a), n = Math.sin(a);
    const t = Math.hypot(r, climb) || 1;
    // outward e = (c, n, 0); b = tangent x e, the tangent being (-r n, r c, climb) / t
    const bx = (-climb * n) / t, by = (climb * c) / t, bz = -r / t;
    for (let j = 0; j < wireSides; j++, k += 3) {
      const u = Math.cos((2 * Math.PI * j) / wireSides), v = Math.sin((2 * Math.PI * j) / wireSides);
      const nx = u * c + v * bx, ny = u * n + v * by, nz = v * bz;
      normal.array[k] = nx;
      normal.array[k + 1] = ny;
      normal.array[k + 2] = nz;
      position.array[k] = r * c + wire * nx;
      position.array[k + 1] = r * n + wire * ny;
      position.array[k + 2] = start + length * s + wire * nz;
    }
  }
  position.needsUpdate = true;
  normal.needsUpdate = true;
}

/**
 * Writes a tube around the way through points, no more than the tube has rings; those that are left over lie at its end. The
 * frame is carried along the way with as little turning as possible.
 */
export function shapeTube(geometry, points, radius) {
  const position = geometry.getAttribute("position"), normal = geometry.getAttribute("normal");
  const rings = position.count / wireSides;
  let along = [0, 0, 1], across = [1, 0, 0];
  for (let i = 0, k = 0; i < rings; i++) {
    const p = points[Math.min(i, points.length - 1)];
    const a = points[Math.max(0, Math.min(i, points.length - 1) - 1)], b = points[Math.min(i + 1, points.length - 1)];
    along = unit([b[0] - a[0], b[1] - a[1], b[2] - a[2]]) ?? along;
    across = crossTo(along, across);
    const other = [along[1] * across[2] - along[2] * across[1], along[2] * across[0] - along[0] * across[2], along[0] * across[1] - along[1] * across[0]];
    for (let j = 0; j < wireSides; j++) {
      const u = Math.cos((2 * Math.PI * j) / wireSides), v = Math.sin((2 * Math.PI * j) / wireSides);
      for (let n = 0; n < 3; n++, k++) {
        normal.array[k] = u * across[n] + v * other[n];
        position.array[k] = p[n] + radius * normal.array[k];
      }
    }
  }
  position.needsUpdate = true;
  normal.needsUpdate = true;
}

function unit(d) {
  const length = Math.hypot(...d);
  return length > 0 ? d.map((value) => value / length) : null;
}

/** The direction across a unit vector that is nearest to a given one. */
function crossTo(along, given) {
  const part = along[0] * given[0] + along[1] * given[1] + along[2] * given[2];
  const rest = given.map((value, n) => value - part * along[n]);
  const axis = Math.abs(along[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  return Math.hypot(...rest) > 1e-6 ? unit(rest) : crossTo(along, axis);
}

// Reports with made-up runs whose motion is known in closed form: the truth that the page is tested against.
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** Floats of a report, handed out in blocks. */
class Numbers {
  values = [];

  add(list) {
    const block = [this.values.length, list.length];
    for (const x of list) this.values.push(x);
    return block;
  }

  base64() {
    const bytes = Buffer.from(Float32Array.from(this.values).buffer);
    return gzipSync(bytes, { level: 6 }).toString("base64");
  }
}

/** Writes a description and numbers into the template, as the library does. */
export function fillTemplate(description, data) {
  const template = readFileSync(join(here, "..", "dist", "report.html"), "utf8");
  const json = JSON.stringify(description).replaceAll("<", "\\u003c");
  return template.replace("@CAROM_RUN@", () => json).replace("@CAROM_DATA@", () => data);
}

/** Times of n output points from 0 to stop. */
function timeGrid(n, stop) {
  return Array.from({ length: n }, (_, i) => (stop * i) / (n - 1));
}

/** x y z w x y z of a turn about z. */
function turned(x, y, z, angle) {
  return [x, y, z, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
}

const look = (name, color, more = {}) => ({ name, color, opacity: 1, wireframe: false, shininess: 0.6, shadows: true, ...more });

// ------------------------------------------------------------------------------------------------------- bouncing

/** Height of a ball dropped from 1 m that loses nothing: free flight between bounces. */
const g = 9.81;
const firstFall = Math.sqrt(2 / g);
export function bounceHeight(t) {
  const s = t < firstFall ? t + firstFall : t;
  const phase = (s - firstFall) % (2 * firstFall);
  const u = t < firstFall ? t : Math.abs(phase - firstFall);
  return 1 - 0.5 * g * u * u;
}

/** A ball that bounces on a floor beside a spinning box: events, contacts, energies, source; 3 s. */
export function bouncing(n = 121, hasEventRows = false, spinnerLook = {}, more = {}) {
  const numbers = new Numbers();
  const stop = 3, times = timeGrid(n, stop), radius = 0.12;
  const bounces = [];
  for (let t = firstFall; t < stop; t += 2 * firstFall) bounces.push(t);
  if (hasEventRows) times.push(...bounces, ...bounces), times.sort((a, b) => a - b);
  const height = times.map(bounceHeight);
  const near = times.map((t) => bounces.some((b) => Math.abs(b - t) < 0.012));
  const starts = [0], samples = [], measures = [], cornerStarts = [0], corners = [];
  times.forEach((t, i) => {
    if (near[i]) {
      samples.push(0, 0.3, 0, 0, 0, 0, 1, 0, 0, 900, 1e-4);
      measures.push(NaN, NaN, NaN);
      cornerStarts.push(corners.length / 4);
    }
    samples.push(1, -0.5, 0, 0, 0, 0, 1, 3, 0, 60, 1e-5);
    measures.push(0.12, 500, 2000); // the deepest point, then the lower face of the spinner
    [[0.2, 0.15, 2000], [0.2, 0.15, 2000], [-0.2, 0.15, 900], [-0.2, -0.15, 0], [0.2, -0.15, 900]].forEach(([x, y, p]) => {
      const c = Math.cos(2 * t), s = Math.sin(2 * t);
      corners.push(-0.5 + c * x - s * y, s * x + c * y, 0, p);
    });
    cornerStarts.push(corners.length / 4);
    starts.push(samples.length / 11);
  });
  const kinetic = height.map((h) => g * (1 - h));
  const description = {
    format: 1, title: "bouncing ball", generator: "carom test",
    time: { origin: 0, values: numbers.add(times) }, thinned: { every: 1, rows: n }, gravity: [0, 0, -g],
    looks: [look("red", [0.84, 0.2, 0.16]), look("steel", [0.55, 0.6, 0.66], spinnerLook), look("floor", [0.82, 0.84, 0.86], { shininess: 0.05 })],
    bodies: [
      { path: "world" },
      { path: "ball", poses: numbers.add(height.flatMap((h, i) => turned(0.3, 0, h + radius, times[i]))) },
      { path: "spinner", poses: numbers.add(times.flatMap((t) => turned(-0.5, 0, 0.1, 2 * t))) },
    ],
    objects: [
      { path: "world", body: 0, pose: [0, 0, 0, 1, 0, 0, 0] },
      { path: "floor", body: 0, pose: [0, 0, 0, 1, 0, 0, 0], materials: ["Concrete"], shapes: [{ kind: "halfSpace", look: 2, pose: [0, 0, 0, 1, 0, 0, 0], isContact: true }] },
      { path: "ball", body: 1, pose: [0, 0, 0, 1, 0, 0, 0], mass: 1, materials: ["Rubber"], shapes: [{ kind: "sphere", look: 0, pose: [0, 0, 0, 1, 0, 0, 0], isContact: true, radius }] },
      { path: "spinner", body: 2, pose: [0, 0, 0, 1, 0, 0, 0], mass: 2.5, materials: ["Steel"], shapes: [{ kind: "box", look: 1, pose: [0, 0, 0, 1, 0, 0, 0], isContact: true, size: [0.4, 0.3, 0.2] }] },
      { path: "spinner.knob", body: 2, pose: [0.1, 0, 0.15, 1, 0, 0, 0], shapes: [{ kind: "sphere", look: 0, pose: [0, 0, 0, 1, 0, 0, 0], radius: 0.05 }] },
    ],
    joints: [{ path: "pivot", kind: "revolute", objectA: "world", objectB: "spinner", axis: [0, 0, 1], isCut: false }],
    variables: [
      { name: "ball.position.z", unit: "m", description: "height of the ball", values: numbers.add(height.map((h) => h + radius)) },
      { name: "pivot.angle", unit: "rad", description: "angle of the spinner", values: numbers.add(times.map((t) => 2 * t)) },
      { name: "energy.kinetic", unit: "J", description: "kinetic energy", values: numbers.add(kinetic) },
      { name: "energy.potential", unit: "J", description: "potential energy", values: numbers.add(height.map((h) => g * h)) },
      { name: "floor-ball.force", unit: "N", description: "normal force", values: numbers.add(times.map((_, i) => (near[i] ? 900 : NaN))) },
    ],
    events: bounces.map((time) => ({ time, kind: "contact", text: "floor and ball" })),
    contacts: { pairs: [["floor", "ball"], ["floor", "spinner"]], starts: numbers.add(starts), samples: numbers.add(samples),
      measures: numbers.add(measures), cornerStarts: numbers.add(cornerStarts), corners: numbers.add(corners) },
    contactList: bounces.map((begin) => ({ pair: 0, begin, end: begin + 1e-3, approach: 4.43, separation: 4.43, restitution: 1 })),
    statistics: [
      { name: "solver", value: "LSODAR", group: "Solver" }, { name: "steps", value: "1,234", group: "Solver" },
      { name: "contact events", value: String(bounces.length), group: "Events" }, { name: "run time", value: "0.12 s", group: "Time" },
    ],
    energy: [
      { name: "kinetic", start: 0, end: 4.2, unit: "J" }, { name: "potential", start: 9.81, end: 5.6, unit: "J" },
      { name: "unexplained", start: 0, end: 1e-6, unit: "J" },
    ],
    parameters: [{ name: "height", value: "1" }],
    source: { name: "bouncing.lua", text: "-- a ball\nlocal h = 1.0 -- [m]\nfor i = 1, 3 do print(\"<b>not bold</b>\", h) end\n" },
    scene: '{"title":"bouncing ball"}',
    versions: [{ name: "carom", value: "0.1.0" }],
    ...more,
  };
  return fillTemplate(description, numbers.base64());
}

// ------------------------------------------------------------------------------------------------------- workshop

/** An arm on a robot that swings, a frame that rides along, and a chip that flies far off; assemblies, forces, inertia; 2 s. */
export function workshop(n = 81, more = {}) {
  const numbers = new Numbers();
  const times = timeGrid(n, 2), still = [0, 0, 0, 1, 0, 0, 0];
  const angle = times.map((t) => 0.8 * Math.sin(3 * t));
  const one = times.map(() => 1);
  const long = "robot.base.assembly.of.many.levels.arm.link";
  const starts = [0], samples = [], losses = [];
  times.forEach((t, i) => { // the arm rests on a pad with 20 N up to 1 s, and has lost 0.5 J a second
    if (t < 1) samples.push(0, 0.2, 0, 0, 0, 0, 1, 0, 0, 20, 1e-4), losses.push(0.5 * t);
    starts.push(samples.length / 11);
  });
  const description = {
    format: 1, title: "workshop", time: { origin: 0, values: numbers.add(times) }, gravity: [0, 0, -g],
    looks: [look("red", [0.84, 0.2, 0.16]), look("steel", [0.55, 0.6, 0.66])],
    bodies: [
      { path: "world" },
      { path: long, poses: numbers.add(angle.flatMap((a) => turned(0, 0, 0.3, a))), mass: 3, centre: [0.2, 0, 0], inertia: [(3 / 12) * (0.04 + 0.01), (3 / 12) * (0.16 + 0.01), (3 / 12) * (0.16 + 0.04), 0, 0, 0] },
      { path: "chip", poses: numbers.add(times.flatMap((t) => turned(0.5 + 20 * t, 0, 0.2, 0))), mass: 0.01, centre: [0, 0, 0], inertia: [1e-6, 1e-6, 1e-6, 0, 0, 0] },
    ],
    objects: [
      { path: "world", body: 0, pose: still },
      { path: "pad", body: 0, pose: still, shapes: [{ kind: "box", pose: still, isContact: true, size: [0.5, 0.5, 0.1] }] },
      { path: "robot.base", body: 0, pose: still, shapes: [{ kind: "cylinder", look: 1, pose: still, radius: 0.1, length: 0.4 }] },
      { path: long, body: 1, pose: still, mass: 3, shapes: [{ kind: "box", look: 0, pose: [0.2, 0, 0, 1, 0, 0, 0], isContact: true, size: [0.4, 0.2, 0.1] }] },
      { path: `${long}.frame`, body: 1, pose: [0.4, 0, 0, 1, 0, 0, 0] },
      { path: "chip", body: 2, pose: still, mass: 0.01, shapes: [{ kind: "sphere", look: 0, pose: still, radius: 0.02 }] },
    ],
    joints: [{ path: "robot.base.pivot", kind: "revolute", objectA: "robot.base", objectB: long, axis: [0, 0, 1], isCut: false }],
    forces: [{ path: "robot.spring", kind: "springDamper", objectA: "robot.base", objectB: long }, { path: "push", kind: "force", objectA: "chip" }],
    couplings: [{ path: "robot.gear", kind: "gearPair" }],
    variables: [
      { name: "constant.position.x", unit: "m", values: numbers.add(one) },
      { name: `${long}.frame.position.x`, unit: "m", values: numbers.add(angle.map((a) => 0.4 * Math.cos(a))) },
      { name: `${long}.position.x`, unit: "m", values: numbers.add(one.map(() => 0)) },
      { name: "robot.base.pivot.angle", unit: "rad", values: numbers.add(angle) },
      { name: "robot.base.pivot.rate", unit: "rad/s", values: numbers.add(times.map((t) => 2.4 * Math.cos(3 * t))) },
      { name: "locked.angle", unit: "rad", values: numbers.add(one) },
      { name: "energy.kinetic", unit: "J", values: numbers.add(angle.map((a) => a * a)) },
      { name: "energy.elastic", unit: "J", values: numbers.add(one) },
      { name: "circle.cosine", unit: "m", values: numbers.add(times.map((t) => Math.cos(t))) },
      { name: "circle.sine", unit: "m", values: numbers.add(times.map((t) => Math.sin(t))) },
    ],
    contacts: { pairs: [["pad", long], ["chip", "pad"]], starts: numbers.add(starts), samples: numbers.add(samples), losses: numbers.add(losses) },
    contactList: [
      { pair: 0, begin: 0, end: 1, approach: 0, maxForce: 20, maxDepth: 1e-4, dissipation: 0.5 },
      ...Array.from({ length: 120 }, (_, i) => ({ pair: 1, begin: 1 + i / 200, end: 1 + i / 200 + 0.001, approach: 1 + i, separation: 0.5, restitution: 0.5, maxForce: i, maxDepth: 1e-5, dissipation: 0.01 })),
    ],
    contactCount: 500,
    ...more,
  };
  return fillTemplate(description, numbers.base64());
}

/** Two runs of a ball over each other: x = t for 2 s, and x = 2 t for 3 s with other output points. */
export function compared() {
  const numbers = new Numbers(), still = [0, 0, 0, 1, 0, 0, 0];
  const makeRun = (speed, stop, n) => {
    const times = timeGrid(n, stop), x = times.map((t) => speed * t);
    return {
      title: `speed ${speed}`, time: { origin: 0, values: numbers.add(times) }, looks: [look("red", [0.84, 0.2, 0.16])],
      bodies: [{ path: "world" }, { path: "ball", poses: numbers.add(x.flatMap((value) => turned(value, 0, 0, 0))) }],
      objects: [{ path: "ball", body: 1, pose: still, shapes: [{ kind: "sphere", look: 0, pose: still, radius: 0.3 }] }],
      variables: [{ name: "ball.position.x", unit: "m", values: numbers.add(x) }],
    };
  };
  return fillTemplate({ format: 1, name: "a.run", ...makeRun(1, 2, 21), others: [makeRun(2, 3, 17)] }, numbers.base64());
}

/** The least that a report may hold: one output point, and nothing to see. */
export function least() {
  const numbers = new Numbers();
  return fillTemplate({ format: 1, time: { origin: 2, values: numbers.add([0]) }, bodies: [], objects: [] }, numbers.base64());
}

// -------------------------------------------------------------------------------------------------------- gallery

export const hostileNames = [
  "<script>window.hacked=1</script>", "\"><img src=x onerror=window.hacked=1>", "quote'and\"quote", "Größe λ₀ 球 🎱", "long" + "x".repeat(3000),
  "</script><!--", "@CAROM_RUN@", "$& $1 $`", "constructor", "__proto__",
];

/** Every kind of shape in a row, springs that stretch, and names that try to break out. */
export function gallery(n = 61) {
  const numbers = new Numbers();
  const times = timeGrid(n, 2);
  const looks = [look("blue", [0.15, 0.45, 0.8]), look("gold", [0.85, 0.65, 0.13]), look("glass", [0.6, 0.8, 0.9], { opacity: 0.4 }), look("wire", [0.2, 0.2, 0.2], { wireframe: true })];
  const tetra = [0.2, 0.2, 0.2, -0.2, -0.2, 0.2, -0.2, 0.2, -0.2, 0.2, -0.2, -0.2];
  const triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
  const shapes = [
    { kind: "sphere", radius: 0.2 }, { kind: "ellipsoid", radii: [0.25, 0.15, 0.1] }, { kind: "box", size: [0.3, 0.2, 0.4] },
    { kind: "cylinder", radius: 0.15, length: 0.4, boreRadius: 0.08 }, { kind: "cylinder", radius: 0.15, length: 0.4 },
    { kind: "cone", radius: 0.2, topRadius: 0.05, length: 0.4 }, { kind: "capsule", radius: 0.1, length: 0.25 },
    { kind: "beam", length: 0.3, width: 0.12, height: 0.08 }, { kind: "hull", mesh: 0 }, { kind: "mesh", mesh: 0 },
    { kind: "coordinateSystem", length: 0.3 }, { kind: "grid", width: 0.4, length: 0.4, spacing: 0.1 },
    { kind: "coil", radius: 0.1, length: 0.4, wireRadius: 0.012, windings: 6 }, { kind: "gearWheel", radius: 0.2, boreRadius: 0.06, length: 0.08, teeth: 18 },
    { kind: "text", string: "Carom <b>", height: 0.12 },
  ];
  const still = [0, 0, 0, 1, 0, 0, 0];
  const bodies = [{ path: "world" }], objects = [{ path: "world", body: 0, pose: still, shapes: [] }];
  shapes.forEach((shape, i) => {
    const x = 0.6 * (i % 5), y = 0.8 * Math.floor(i / 5);
    bodies.push({ path: `shape.${shape.kind}${i}`, poses: numbers.add(times.flatMap((t) => turned(x, y, 0.4 + 0.1 * Math.sin(3 * t + i), t))) });
    objects.push({ path: `shape.${shape.kind}${i}`, body: i + 1, pose: still, mass: 1, materials: ["Steel"], shapes: [{ ...shape, look: i % 3, pose: still }] });
  });
  hostileNames.forEach((path, i) => objects.push({ path, body: 0, pose: [0.25 * i, -0.7, 0.1, 1, 0, 0, 0], mass: i, materials: [path], shapes: [{ kind: "sphere", look: 1, pose: still, radius: 0.08 }] }));
  objects.push({ path: "hidden.contact", body: 0, pose: [1, -1, 0, 1, 0, 0, 0], shapes: [{ kind: "box", pose: still, isContact: true, size: [0.2, 0.2, 0.2] }] });
  const names = hostileNames.map((name) => ({ name: name + ".value", unit: "<i>m</i>", description: name, values: numbers.add(times.map((t) => Math.sin(t))) }));
  const description = {
    format: 1, title: "gallery <script>window.hacked=1</script>", time: { origin: 5, values: numbers.add(times) }, thinned: { every: 3, rows: 3 * n },
    looks, meshes: [{ points: numbers.add(tetra), triangles }], bodies, objects,
    joints: hostileNames.map((path) => ({ path: path + "-joint", kind: "revolute", objectA: "world", objectB: path, axis: [0, 0, 1] })),
    springs: [{ path: "spring", kind: "springDamper", objectA: "shape.sphere0", objectB: "shape.box2", length: 1 }],
    variables: names,
    events: hostileNames.map((text, i) => ({ time: 5.1 + 0.1 * i, kind: text, text })),
    statistics: hostileNames.map((name) => ({ name, value: name, group: name.slice(0, 40) })),
    parameters: hostileNames.map((name) => ({ name, value: name })),
    source: { name: "</title><script>window.hacked=1</script>", text: hostileNames.join("\n") },
    scene: "not json </script>", versions: [{ name: "<b>", value: "</b>" }],
    energy: hostileNames.slice(0, 3).map((name) => ({ name, start: 1, end: null, unit: "J" })),
  };
  return fillTemplate(description, numbers.base64());
}

// ---------------------------------------------------------------------------------------------------------- crowd

/** Bodies of four kinds, falling and turning, of which some touch at each output point. */
export function crowd(count = 1000, n = 201, touching = 300, areBoxes = false) {
  const numbers = new Numbers();
  const times = timeGrid(n, 4);
  const kinds = [{ kind: "sphere", radius: 0.1 }, { kind: "box", size: [0.18, 0.18, 0.18] }, { kind: "cylinder", radius: 0.08, length: 0.2 }, { kind: "capsule", radius: 0.06, length: 0.12 }];
  const still = [0, 0, 0, 1, 0, 0, 0];
  const bodies = [{ path: "world" }], objects = [{ path: "world", body: 0, pose: still, shapes: [{ kind: "halfSpace", look: 4, pose: still }] }];
  for (let i = 0; i < count; i++) {
    const x = 0.35 * (i % 10) - 1.6, y = 0.35 * (Math.floor(i / 10) % 10) - 1.6, z = 0.4 + 0.35 * Math.floor(i / 100);
    const fall = (t) => Math.max(0.1 + 0.06 * Math.floor(i / 100), z - 0.5 * t * t) + 0.03 * Math.sin(5 * t + i);
    bodies.push({ path: `b${i}`, poses: numbers.add(times.flatMap((t) => turned(x + 0.05 * Math.sin(t + i), y, fall(t), t + i))) });
    objects.push({ path: `heap.b${i}`, body: i + 1, pose: still, mass: 1, materials: ["Steel"], shapes: [{ ...kinds[areBoxes ? 1 : i % 4], look: i % 4, pose: still, isContact: true }] });
  }
  const starts = [0], samples = [];
  times.forEach((t, row) => {
    for (let i = 0; i < touching; i++) samples.push(i, 0.35 * (i % 10) - 1.6, 0.35 * (Math.floor(i / 10) % 10) - 1.6, 0, 0, 0, 1, 0, 0, 10 + i % 7, 1e-5);
    starts.push(samples.length / 11);
    void row;
  });
  const description = {
    format: 1, title: `${count} bodies`, time: { origin: 0, values: numbers.add(times) },
    looks: [look("a", [0.83, 0.26, 0.18]), look("b", [0.13, 0.5, 0.75]), look("c", [0.9, 0.7, 0.2]), look("d", [0.25, 0.62, 0.4]), look("floor", [0.8, 0.82, 0.85], { shininess: 0 })],
    bodies, objects,
    variables: Array.from({ length: 3000 }, (_, i) => ({ name: `heap.b${Math.floor(i / 3)}.position.${"xyz"[i % 3]}`, unit: "m", values: numbers.add(times.map((t) => Math.sin(t + i))) })),
    events: Array.from({ length: 2000 }, (_, i) => ({ time: 0.002 * i, kind: "contact", text: `b${i % 1000} and floor` })),
    contacts: { pairs: Array.from({ length: touching }, (_, i) => ["world", `heap.b${i % count}`]), starts: numbers.add(starts), samples: numbers.add(samples) },
    contactList: Array.from({ length: 2000 }, (_, i) => ({ pair: i % 300, begin: 0.002 * i, end: i % 5 ? 0.002 * i + 0.001 : null, approach: 1 + (i % 13) / 10, separation: 0.5, restitution: 0.5 })),
    statistics: [{ name: "steps", value: "99999", group: "Solver" }],
  };
  return fillTemplate(description, numbers.base64());
}

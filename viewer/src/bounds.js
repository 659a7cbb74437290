// Bounds: the room that the motion takes, and where to look at it from.
import { transformPoint } from "./pose.js";

const sampledRows = 60;
const arrowShare = 2; // [1] of the size of what moves: coordinate systems up to so large are framed with it
const wideStill = 4; // still parts wider than this many times the rest are not framed
const roomy = 3; // [1] motion that takes so many times the room of the start is framed with it
const lonely = 40; // [1] where most bodies leave that room: their ways are framed up to so many times the room of the start

/**
 * { low, high, centre, radius } [m] of what is looked at first: the moving bodies at the start and what stands by them, and
 * of the motion what stays by. Bodies that fly off leave the picture, if half of them stay; a single ball is not lost. Where
 * most bodies go very far, isLeft is true: one of them has to be followed.
 */
export function findBounds(run, motion, parts) {
  const isShown = (part) => part.state !== "hidden";
  const moving = parts.list.filter((part) => isShown(part) && !part.isStill);
  const standing = parts.list.filter((part) => isShown(part) && part.isStill);
  const present = moving.map((part) => parts.boxOf(part, motion.poses)).filter((box) => Number.isFinite(box.low[0]));
  const start = present.length > 0 ? unite(present) : null;
  const still = standing.map((part) => stillBox(parts, part, motion.poses, start ? size(start) : 0));
  if (!start) return finish(movingOrigins(run, motion) ?? (still.length > 0 ? unite(still) : originBox(run)));
  const beside = still.filter((box) => size(box) <= wideStill * Math.max(size(start), medianSize(still)));
  const core = unite([start, ...beside]);
  const tracks = byBody(moving, trackBoxes(run, motion, parts, moving));
  const near = tracks.map((box) => unite([core, box])).filter((box) => size(box) <= roomy * size(core));
  if (near.length >= tracks.length / 2) return finish(unite([core, ...near]));
  const isGone = tracks.filter((box) => size(box) > lonely * size(core)).length > tracks.length / 2;
  return isGone ? { ...finish(core), isLeft: true } : finish(unite([core, ...tracks.filter((box) => size(box) <= lonely * size(core))]));
}

/** The box of a part that stands; of a coordinate system whose arrows are longer than what moves its origin. */
function stillBox(parts, part, poses, moving) {
  const box = parts.boxOf(part, poses);
  if (!part.batch.description.hasColors || size(box) <= arrowShare * moving) return box;
  const origin = transformPoint(poses, 7 * part.object.body, part.pose);
  return { low: origin, high: origin };
}

/** Boxes of each moving part at some times of the run; none when it is not there any more, its pose being NaN. */
function trackBoxes(run, motion, parts, moving) {
  const tracks = moving.map(() => []);
  const rows = Math.min(run.rowCount, moving.length > 300 ? sampledRows / 3 : sampledRows);
  for (let i = 0; i < rows; i++) {
    const row = rows > 1 ? Math.round((i * (run.rowCount - 1)) / (rows - 1)) : 0;
    const poses = motion.sample(run.timeAt(row));
    moving.forEach((part, k) => {
      const box = parts.boxOf(part, poses);
      if (Number.isFinite(box.low[0])) tracks[k].push(box);
    });
  }
  motion.sample(run.startTime);
  return tracks;
}

/** One box for the way of each body. */
function byBody(moving, tracks) {
  const ways = new Map();
  moving.forEach(({ object }, k) => ways.set(object.body, [...(ways.get(object.body) ?? []), ...tracks[k]]));
  return [...ways.values()].filter((boxes) => boxes.length > 0).map(unite);
}

function medianSize(boxes) {
  return boxes.length === 0 ? 0 : boxes.map(size).sort((a, b) => a - b)[boxes.length >> 1];
}

function ballBox({ centre, radius }) {
  return { low: centre.map((x) => x - radius), high: centre.map((x) => x + radius) };
}

function unite(boxes) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    for (let i = 0; i < 3; i++) {
      low[i] = Math.min(low[i], box.low[i]);
      high[i] = Math.max(high[i], box.high[i]);
    }
  }
  return { low, high };
}

function size({ low, high }) {
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

/** A box around the origins of what moves and is not drawn; null: nothing moves. */
function movingOrigins(run, motion) {
  const points = run.objects.filter(({ body }) => run.bodies[body]?.poses).map(({ body, pose }) => transformPoint(motion.poses, 7 * body, pose));
  const box = points.length > 1 ? unite(points.map((p) => ({ low: p, high: p }))) : null;
  return box && size(box) > 0 ? { low: box.low.map((x) => x - 0.2 * size(box)), high: box.high.map((x) => x + 0.2 * size(box)) } : null;
}

/** A box around the origins of the objects, for scenes without shapes. */
function originBox(run) {
  const points = run.objects.map((object) => object.pose.slice(0, 3));
  points.push([0, 0, 0]);
  return unite(points.map((p) => ballBox({ centre: p, radius: 0.5 })));
}

function finish({ low, high }) {
  const centre = low.map((x, i) => (x + high[i]) / 2);
  const radius = size({ low, high }) / 2;
  const isSound = Number.isFinite(radius) && radius > 0;
  return isSound ? { low, high, centre, radius } : { low: [-1, -1, -1], high: [1, 1, 1], centre: [0, 0, 0], radius: Math.sqrt(3) };
}

/** Direction from the scene to a good point of view: across the plane of a flat motion, else from the front right. */
export function viewDirection({ low, high }) {
  const [dx, dy, dz] = low.map((x, i) => high[i] - x);
  if (dy < 0.35 * dx && dy < 0.6 * dz) return [0.28, -1, 0.22];
  if (dx < 0.35 * dy && dx < 0.6 * dz) return [1, -0.28, 0.22];
  if (dz < 0.25 * Math.max(dx, dy)) return [0.25, -1, 0.75];
  return [0.55, -1, 0.5];
}

/** Moves a camera back along its direction until the whole box is in its picture; returns the distance [m]. */
export function fitDistance(camera, { low, high, centre }, direction, margin = 1.08) {
  const length = Math.hypot(...direction), d = direction.map((x) => x / length);
  const right = unit(cross([0, 0, 1], d)), up = cross(d, right);
  const tanY = Math.tan((camera.fov * Math.PI) / 360), tanX = tanY * camera.aspect;
  let distance = 0;
  for (let i = 0; i < 8; i++) {
    const corner = [i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]].map((x, k) => x - centre[k]);
    const depth = dot(corner, d);
    distance = Math.max(distance, depth + (margin * Math.abs(dot(corner, right))) / tanX, depth + (margin * Math.abs(dot(corner, up))) / tanY);
  }
  return distance;
}

function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(a) {
  const length = Math.hypot(...a);
  return length > 1e-9 ? a.map((x) => x / length) : [1, 0, 0];
}

/** Middle of the parts of an object, in its body: the point that trails and the camera follow. */
export function middleOf(parts, object) {
  const own = parts.partsOf.get(object)?.filter((part) => part.state !== "hidden") ?? [];
  if (own.length === 0) return object.pose.slice(0, 3);
  const sum = [0, 0, 0];
  for (const part of own) {
    const p = transformPoint(part.pose, 0, part.batch.centre.map((x, i) => x * part.scale[i]));
    for (let i = 0; i < 3; i++) sum[i] += p[i] / own.length;
  }
  return sum;
}

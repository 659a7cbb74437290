// The way of a cable through points and around pulleys, as the library finds it (src/model/eval/cable_path.c): straight parts
// that are tangents seen along the axes of the pulleys, arcs of at most 270 degrees, and pulleys that are passed without touching.
import { rotateVector } from "./pose.js";

const turns = 60; // far more than the few that are needed
const mostWrap = 1.5 * Math.PI;
const arcSteps = 24; // points on the arc of a pulley

const along = (p, k, d) => [p[0] + k * d[0], p[1] + k * d[1], p[2] + k * d[2]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** A guide at a pose x y z, w x y z: a pulley about its z axis, a point where the radius is 0; clockwise where it is negative. */
export function makeGuide(pose, radius) {
  const y = rotateVector(pose, 0, [0, 1, 0]);
  return { centre: pose.slice(0, 3), x: rotateVector(pose, 0, [1, 0, 0]), y: radius < 0 ? y.map((value) => -value) : y,
    radius: Math.abs(radius), angleIn: 0, angleOut: 0, in: null, out: null, isPassed: false };
}

function rim(guide, angle) {
  return along(along(guide.centre, guide.radius * Math.cos(angle), guide.x), guide.radius * Math.sin(angle), guide.y);
}

/** The angle at which the cable leaves a pulley for a point, or, with sign 1, meets it from there. */
function findTangent(guide, point, sign) {
  const r = minus(point, guide.centre), x = dot(guide.x, r), y = dot(guide.y, r);
  const s = x * x + y * y - guide.radius * guide.radius;
  return s > 0 ? Math.atan2(y, x) + sign * Math.atan2(Math.sqrt(s), guide.radius) : NaN;
}

function findPart(from, to) {
  from.out = from.centre;
  to.in = to.centre;
  for (let i = 0, moved = Infinity; i < turns && moved > 1e-12; i++) {
    const before = [...from.out, ...to.in];
    if (from.radius > 0) from.out = rim(from, (from.angleOut = findTangent(from, to.in, -1)));
    if (to.radius > 0) to.in = rim(to, (to.angleIn = findTangent(to, from.out, 1)));
    moved = Math.max(...[...from.out, ...to.in].map((value, k) => Math.abs(value - before[k])));
  }
}

/** [rad] on a pulley; below 0 it is not touched. */
function findTurn(guide) {
  const turn = guide.angleOut - guide.angleIn, whole = 2 * Math.PI * Math.floor(turn / (2 * Math.PI));
  return turn - whole > mostWrap ? turn - whole - 2 * Math.PI : turn - whole;
}

/** The way through guides: its points, and its length; both ends are points. NaN where an end is inside a pulley. */
export function findWay(guides) {
  let touched = guides;
  for (let isDone = false; !isDone; ) {
    for (let i = 0; i + 1 < touched.length; i++) findPart(touched[i], touched[i + 1]);
    const kept = touched.filter((guide, i) => i === 0 || i === touched.length - 1 || guide.radius === 0 || !(findTurn(guide) < 0));
    isDone = kept.length === touched.length;
    touched = kept;
  }
  const points = [touched[0].centre];
  let length = 0;
  for (let i = 1; i < touched.length; i++) {
    const guide = touched[i], turn = guide.radius > 0 ? findTurn(guide) : 0;
    length += Math.hypot(...minus(guide.in, touched[i - 1].out)) + guide.radius * turn;
    const steps = guide.radius > 0 ? arcSteps : 0;
    for (let k = 0; k <= steps; k++) points.push(steps > 0 ? rim(guide, guide.angleIn + (turn * k) / steps) : guide.centre);
  }
  return { points, length };
}

/** The most points that a way through guides of these radii can have. */
export function countWayPoints(radii) {
  return radii.reduce((sum, radius) => sum + (radius !== 0 ? arcSteps + 1 : 1), 0);
}

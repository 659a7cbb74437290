// Poses: seven numbers x y z, w x y z: the position and the unit quaternion of a frame. p_AC = p_AB + R_AB p_BC.
// Written on plain arrays with offsets, since a thousand of them are computed for every picture.

export const identityPose = Object.freeze([0, 0, 0, 1, 0, 0, 0]);

/** out = a b, each read at its offset. */
export function multiplyPoses(a, i, b, j, out, k) {
  const aw = a[i + 3], ax = a[i + 4], ay = a[i + 5], az = a[i + 6];
  const bw = b[j + 3], bx = b[j + 4], by = b[j + 5], bz = b[j + 6];
  const px = b[j], py = b[j + 1], pz = b[j + 2];
  const tx = 2 * (ay * pz - az * py), ty = 2 * (az * px - ax * pz), tz = 2 * (ax * py - ay * px);
  out[k] = a[i] + px + aw * tx + ay * tz - az * ty;
  out[k + 1] = a[i + 1] + py + aw * ty + az * tx - ax * tz;
  out[k + 2] = a[i + 2] + pz + aw * tz + ax * ty - ay * tx;
  out[k + 3] = aw * bw - ax * bx - ay * by - az * bz;
  out[k + 4] = aw * bx + ax * bw + ay * bz - az * by;
  out[k + 5] = aw * by - ax * bz + ay * bw + az * bx;
  out[k + 6] = aw * bz + ax * by - ay * bx + az * bw;
  return out;
}

/** The product of two poses, as a new array. */
export function composePoses(a, b) {
  return multiplyPoses(a, 0, b, 0, new Array(7), 0);
}

/** The point p of frame B in A, B's pose being `pose` at `i`. */
export function transformPoint(pose, i, p) {
  const w = pose[i + 3], x = pose[i + 4], y = pose[i + 5], z = pose[i + 6];
  const tx = 2 * (y * p[2] - z * p[1]), ty = 2 * (z * p[0] - x * p[2]), tz = 2 * (x * p[1] - y * p[0]);
  return [
    pose[i] + p[0] + w * tx + y * tz - z * ty,
    pose[i + 1] + p[1] + w * ty + z * tx - x * tz,
    pose[i + 2] + p[2] + w * tz + x * ty - y * tx,
  ];
}

/** The direction d of frame B in A. */
export function rotateVector(pose, i, d) {
  const p = transformPoint(pose, i, d);
  return [p[0] - pose[i], p[1] - pose[i + 1], p[2] - pose[i + 2]];
}

/** Writes the 4 by 4 matrix of a pose and a scale, column by column. */
export function writeMatrix(pose, i, scale, out, k) {
  const w = pose[i + 3], x = pose[i + 4], y = pose[i + 5], z = pose[i + 6];
  const sx = scale[0], sy = scale[1], sz = scale[2];
  out[k] = (1 - 2 * (y * y + z * z)) * sx;
  out[k + 1] = 2 * (x * y + w * z) * sx;
  out[k + 2] = 2 * (x * z - w * y) * sx;
  out[k + 3] = 0;
  out[k + 4] = 2 * (x * y - w * z) * sy;
  out[k + 5] = (1 - 2 * (x * x + z * z)) * sy;
  out[k + 6] = 2 * (y * z + w * x) * sy;
  out[k + 7] = 0;
  out[k + 8] = 2 * (x * z + w * y) * sz;
  out[k + 9] = 2 * (y * z - w * x) * sz;
  out[k + 10] = (1 - 2 * (x * x + y * y)) * sz;
  out[k + 11] = 0;
  out[k + 12] = pose[i];
  out[k + 13] = pose[i + 1];
  out[k + 14] = pose[i + 2];
  out[k + 15] = 1;
}

/** The quaternion w x y z that turns the z axis into the direction d (of any length). */
export function turnToDirection(d) {
  const length = Math.hypot(d[0], d[1], d[2]);
  if (length === 0) return [1, 0, 0, 0];
  const x = d[0] / length, y = d[1] / length, z = d[2] / length;
  if (z < -0.999999) return [0, 1, 0, 0];
  const w = Math.sqrt((1 + z) / 2);
  return [w, -y / (2 * w), x / (2 * w), 0];
}

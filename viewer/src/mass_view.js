// Masses in the picture: centres of mass as balls, inertia as the ellipsoid of even density that has the same.
//
// With principal moments I1, I2, I3 about the centre and mass m, its half axes are a1 = sqrt(5 (I2 + I3 - I1) / (2 m)), ...
import { Group, InstancedMesh, MeshBasicMaterial, MeshStandardMaterial, SphereGeometry } from "three";
import { multiplyPoses, transformPoint, writeMatrix } from "./pose.js";

/** { axes, lengths }: principal axes as a quaternion w x y z, and half axes [m], of a body with these moments. */
export function inertiaEllipsoid(mass, [xx, yy, zz, xy, xz, yz]) {
  const { values, vectors } = diagonalize([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
  const total = values[0] + values[1] + values[2];
  return { axes: turnOf(vectors), lengths: values.map((value) => Math.sqrt(Math.max(0, (5 * (total - 2 * value)) / (2 * mass)))) };
}

/** Eigenvalues, and eigenvectors as columns, of a symmetric matrix by Jacobi's rotations; right-handed. */
function diagonalize(a) {
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 12; sweep++) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (a[p][q] === 0) continue;
      const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
      const c = 1 / Math.sqrt(t * t + 1), s = t * c;
      for (let k = 0; k < 3; k++) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      for (let k = 0; k < 3; k++) [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
    }
  }
  return { values: [a[0][0], a[1][1], a[2][2]], vectors: v }; // products of rotations: right-handed
}

/** The quaternion of a rotation matrix, by its largest part. */
function turnOf(m) {
  const squares = [1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]];
  const largest = squares.indexOf(Math.max(...squares)), r = 2 * Math.sqrt(squares[largest]);
  const d = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]], e = [m[1][2] + m[2][1], m[0][2] + m[2][0], m[0][1] + m[1][0]];
  if (largest === 0) return [r / 4, d[0] / r, d[1] / r, d[2] / r];
  const q = [d[largest - 1] / r, 0, 0, 0];
  for (let i = 1; i <= 3; i++) q[i] = i === largest ? r / 4 : e[3 - (i - 1) - (largest - 1)] / r;
  return q;
}

export class MassView extends Group {
  constructor(run, bounds) {
    super();
    this.show = { centres: false, inertia: false };
    this.size = bounds.radius;
    this.entries = run.bodies.flatMap(({ mass, centre, inertia, poses }, body) => (poses && mass > 0 && centre && inertia
      ? [{ body, centre, ...inertiaEllipsoid(mass, inertia) }] : []));
    const ball = new SphereGeometry(1, 24, 16);
    const instances = (material, order) => {
      const mesh = new InstancedMesh(ball, material, Math.max(1, this.entries.length));
      Object.assign(mesh, { frustumCulled: false, renderOrder: order, visible: false });
      this.add(mesh);
      return mesh;
    };
    this.centres = instances(new MeshBasicMaterial({ color: "#f0c419", toneMapped: false, depthTest: false, transparent: true }), 5);
    this.ellipsoids = instances(new MeshStandardMaterial({ color: "#9b5de5", roughness: 0.5, transparent: true, opacity: 0.4, depthTest: false, depthWrite: false }), 4);
  }

  get isUsed() {
    return this.entries.length > 0;
  }

  /** `width` [m] of a thin line at the scene's distance. */
  write(bodyPoses, width) {
    this.centres.visible = this.show.centres && this.isUsed;
    this.ellipsoids.visible = this.show.inertia && this.isUsed;
    if (!this.centres.visible && !this.ellipsoids.visible) return;
    const pose = new Float64Array(7), dot = 2.2 * width;
    this.entries.forEach(({ body, centre, axes, lengths }, i) => {
      const p = transformPoint(bodyPoses, 7 * body, centre);
      writeMatrix([...p, 1, 0, 0, 0], 0, [dot, dot, dot], this.centres.instanceMatrix.array, 16 * i);
      multiplyPoses(bodyPoses, 7 * body, [...centre, ...axes], 0, pose, 0);
      writeMatrix(pose, 0, lengths, this.ellipsoids.instanceMatrix.array, 16 * i);
    });
    this.centres.instanceMatrix.needsUpdate = this.ellipsoids.instanceMatrix.needsUpdate = true;
  }
}

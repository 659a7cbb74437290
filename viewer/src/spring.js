// Springs: coils between the origins of two objects, wound anew for every picture so that the wire keeps its thickness.
import { Group, Mesh, MeshStandardMaterial } from "three";
import { coilGeometry, shapeCoil } from "./geometry.js";
import { placeAt } from "./floor.js";
import { transformPoint, turnToDirection } from "./pose.js";

const fewSprings = 40; // beyond, coils have fewer windings
const lead = 0.09; // share of the length at both ends in which the winding closes in on the axis

export class Springs extends Group {
  #entries = [];

  constructor(run, bounds) {
    super();
    const material = new MeshStandardMaterial({ color: "#9aa6b4", roughness: 0.3 });
    const windings = run.springs.length > fewSprings ? 6 : 10;
    for (const spring of run.springs) {
      const a = run.objectOf.get(spring.objectA), b = run.objectOf.get(spring.objectB);
      if (!a || !b) continue;
      const mesh = new Mesh(coilGeometry(windings), material);
      mesh.castShadow = true;
      mesh.frustumCulled = false;
      const natural = spring.length > 0 ? spring.length : 0.5 * bounds.radius;
      const radius = Math.min(0.09 * natural, 0.06 * bounds.radius);
      this.#entries.push({ mesh, a, b, windings, radius, wire: 0.16 * radius, length: NaN });
      this.add(mesh);
    }
  }

  write(bodyPoses, isVisible) {
    for (const entry of this.#entries) {
      const { mesh, a, b } = entry;
      mesh.visible = isVisible(a) || isVisible(b);
      const p = transformPoint(bodyPoses, 7 * a.body, a.pose), q = transformPoint(bodyPoses, 7 * b.body, b.pose);
      const along = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
      const length = Math.hypot(...along);
      if (length !== entry.length) shapeCoil(mesh.geometry, { ...entry, start: 0, length, lead });
      entry.length = length;
      placeAt(mesh, [...p, ...turnToDirection(along)]);
    }
  }
}

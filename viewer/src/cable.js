// Cables: a rope along points and around pulleys, laid anew for every picture.
import { Group, Mesh, MeshStandardMaterial } from "three";
import { countWayPoints, findWay, makeGuide } from "./cable_way.js";
import { shapeTube, tubeGeometry } from "./geometry.js";
import { multiplyPoses } from "./pose.js";

const thickness = 0.004; // of the scene's radius
const thinnest = 0.08; // of the smallest pulley's radius: a rope that is no thicker looks right on it

export class Cables extends Group {
  #entries = [];

  constructor(run, bounds) {
    super();
    const material = new MeshStandardMaterial({ color: "#6d7580", roughness: 0.6 });
    for (const { path, guides, radii } of run.cables) {
      const objects = guides.map((guide) => run.objectOf.get(guide));
      if (objects.length < 2 || objects.length !== radii.length || objects.includes(undefined)) continue;
      const mesh = new Mesh(tubeGeometry(countWayPoints(radii)), material);
      mesh.castShadow = true;
      mesh.frustumCulled = false;
      const pulleys = radii.map(Math.abs).filter((radius) => radius > 0);
      const radius = Math.min(thickness * bounds.radius, ...pulleys.map((pulley) => thinnest * pulley));
      this.#entries.push({ path, mesh, objects, radii, radius, length: NaN });
      this.add(mesh);
    }
  }

  /** [m] of the cable as it was drawn last; undefined: there is none of this path. */
  lengthOf(path) {
    return this.#entries.find((entry) => entry.path === path)?.length;
  }

  write(bodyPoses, isVisible) {
    for (const entry of this.#entries) {
      const guides = entry.objects.map((object, i) => makeGuide(multiplyPoses(bodyPoses, 7 * object.body, object.pose, 0, new Array(7), 0), entry.radii[i]));
      const way = findWay(guides);
      entry.length = way.length;
      entry.mesh.visible = Number.isFinite(way.length) && entry.objects.some(isVisible);
      if (entry.mesh.visible) shapeTube(entry.mesh.geometry, way.points, entry.radius);
    }
  }
}

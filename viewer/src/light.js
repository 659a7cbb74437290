// Light: a studio that flatters, led by the lamps of the scene: sky and ground, a key light that casts shadows, a fill light
// from the other side, and a soft one from below, so that what hangs or stands high is no black shape. No reflections of an environment: to blur one takes a machine without a graphics card seconds.
import { AmbientLight, Color, DirectionalLight, Group, HemisphereLight, SRGBColorSpace } from "three";
import { rotateVector, transformPoint } from "./pose.js";

/** The lights: the key light comes from the first lamp of the scene that casts shadows, or from the upper left. */
export class Lights extends Group {
  constructor(run, bounds, shadowSize) {
    super();
    const lamps = run.objects.filter((object) => object.light);
    const ambient = lamps.filter(({ light }) => light.kind === "ambient");
    const others = lamps.filter(({ light }) => light.kind !== "ambient");
    this.sky = new HemisphereLight("#f2f7ff", "#b4aea8", 2.2);
    this.add(this.sky);
    this.key = new DirectionalLight("#ffffff", 2.4);
    this.add(this.key, this.key.target);
    this.key.target.position.set(...bounds.centre);
    this.#placeKey(bounds, others[0] ? lampDirection(others[0], bounds) : [-0.5, -0.55, 1.1]);
    if (others[0]) this.key.color = lampColor(others[0].light);
    this.#setShadows(bounds, shadowSize);
    for (const { light } of ambient) this.add(new AmbientLight(lampColor(light), 0.3 * Math.min(2, light.intensity ?? 1)));
    this.#addSide(bounds);
    this.#addBelow(bounds);
    for (const lamp of others.slice(1, 5)) this.#addFill(lamp, bounds);
  }

  /** A light from straight above shows no side of anything: it is tilted a little. */
  #placeKey(bounds, direction) {
    const length = Math.hypot(...direction) || 1;
    const d = direction.map((x) => x / length);
    if (Math.hypot(d[0], d[1]) < 0.3) d[0] -= 0.22, d[1] -= 0.26;
    this.key.position.set(...bounds.centre.map((x, i) => x + 3 * bounds.radius * d[i]));
  }

  #setShadows(bounds, size) {
    const { shadow } = this.key, reach = 1.35 * bounds.radius;
    this.key.castShadow = true;
    shadow.mapSize.set(size, size);
    Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.5 * bounds.radius, far: 7 * bounds.radius });
    shadow.bias = -0.0004;
    shadow.normalBias = 0.004 * bounds.radius;
    shadow.radius = 5;
  }

  /** The fill light: from the side that the key light leaves dark, a little cooler. */
  #addSide(bounds) {
    const side = new DirectionalLight("#dbe8ff", 0.55);
    const [x, y] = this.key.position.toArray().map((value, i) => value - bounds.centre[i]);
    side.position.set(bounds.centre[0] - y - x, bounds.centre[1] + x - y, bounds.centre[2] + 1.2 * bounds.radius);
    side.target.position.set(...bounds.centre);
    this.add(side, side.target);
  }

  /** From below, a little to the right: as if a bright floor threw light back. */
  #addBelow(bounds) {
    this.below = new DirectionalLight("#fff4e6", 0.7);
    this.below.position.set(...bounds.centre.map((x, i) => x + bounds.radius * [0.7, -0.9, -1.4][i]));
    this.below.target.position.set(...bounds.centre);
    this.add(this.below, this.below.target);
  }

  setTheme(isDark) {
    this.sky.intensity = isDark ? 2 : 2.2;
    this.below.intensity = isDark ? 0.9 : 0.7;
  }

  #addFill(lamp, bounds) {
    const fill = new DirectionalLight(lampColor(lamp.light), 0.5 * Math.min(2, lamp.light.intensity ?? 1));
    fill.position.set(...bounds.centre.map((x, i) => x + lampDirection(lamp, bounds)[i]));
    fill.target.position.set(...bounds.centre);
    this.add(fill, fill.target);
  }
}

function lampColor({ color }) {
  return color ? new Color().setRGB(color[0], color[1], color[2], SRGBColorSpace) : new Color("#ffffff");
}

/** From the middle of the scene to a lamp; a directional lamp shines along -z of its frame. */
function lampDirection(object, bounds) {
  if (object.light.kind === "directional") return rotateVector(object.pose, 0, [0, 0, 1]);
  const p = transformPoint(object.pose, 0, [0, 0, 0]);
  return p.map((x, i) => x - bounds.centre[i]);
}

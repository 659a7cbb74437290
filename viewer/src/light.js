// Light: a studio that flatters, led by the lamps of the scene. Reflections come from a painted sky; one light casts shadows.
import {
  AmbientLight, Color, DataTexture, DirectionalLight, EquirectangularReflectionMapping, Group, LinearFilter, PMREMGenerator,
  SRGBColorSpace,
} from "three";
import { transformPoint, rotateVector } from "./pose.js";

const skyWidth = 64, skyHeight = 32; // [px]

/** Sky above, ground below, and two soft boxes whose reflections show the roundness of things. */
function paintSky() {
  const data = new Uint8Array(4 * skyWidth * skyHeight);
  for (let y = 0; y < skyHeight; y++) {
    for (let x = 0; x < skyWidth; x++) {
      const height = (y + 0.5) / skyHeight; // 0 below, 1 above
      const base = height > 0.5 ? 150 + 70 * (height - 0.5) * 2 : 95 + 40 * height * 2;
      const isBox = height > 0.68 && height < 0.86 && ((x > 8 && x < 18) || (x > 38 && x < 52));
      const value = isBox ? 255 : base;
      data.set([value * 0.985, value * 0.99, Math.min(255, value * 1.02), 255], 4 * (y * skyWidth + x));
    }
  }
  const texture = new DataTexture(data, skyWidth, skyHeight);
  texture.mapping = EquirectangularReflectionMapping;
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** Gives a scene its reflections. */
export function addSky(renderer, scene) {
  const generator = new PMREMGenerator(renderer);
  const sky = paintSky();
  scene.environment = generator.fromEquirectangular(sky).texture;
    scene.environmentRotation.set(Math.PI / 2, 0, 0); // z is up
  sky.dispose();
  generator.dispose();
}

/** The lights: the key light comes from the first lamp of the scene that casts shadows, or from the upper left. */
export class Lights extends Group {
  constructor(run, bounds, shadowSize) {
    super();
    const lamps = run.objects.filter((object) => object.light);
    const ambient = lamps.filter(({ light }) => light.kind === "ambient");
    const others = lamps.filter(({ light }) => light.kind !== "ambient");
    this.key = new DirectionalLight("#ffffff", 1.9);
    this.add(this.key, this.key.target);
    this.key.target.position.set(...bounds.centre);
    this.#placeKey(bounds, others[0] ? lampDirection(others[0], bounds) : [-0.5, -0.55, 1.1]);
    if (others[0]) this.key.color = lampColor(others[0].light);
    this.#setShadows(bounds, shadowSize);
    for (const { light } of ambient) this.add(new AmbientLight(lampColor(light), 0.3 * Math.min(2, light.intensity ?? 1)));
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

// Floors: half-spaces, the grids of the model, and a reference grid with shadows where a model has no floor of its own.
import {
  BufferAttribute, BufferGeometry, Color, Group, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial, PlaneGeometry,
  ShaderMaterial, ShadowMaterial,
} from "three";
import { lookColor, lookOf } from "./look.js";
import { multiplyPoses } from "./pose.js";

const reach = 14; // half-spaces are drawn this many scene radii wide, then fade out

const darkFloor = 0.09; // [1] brightness of a half-space in the dark theme

/** Sets position and turn of an object of the renderer from a pose. */
export function placeAt(node, pose, i = 0) {
  node.position.set(pose[i], pose[i + 1], pose[i + 2]);
  node.quaternion.set(pose[i + 4], pose[i + 5], pose[i + 6], pose[i + 3]);
}

const gridVertex = `
varying vec2 place;
void main() {
  place = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// Lines of even width on the screen at any distance, finer ones between them, all fading with the distance to the middle.
const gridFragment = `
uniform vec3 color;
uniform float spacing;
uniform float radius;
uniform float strength;
varying vec2 place;
float lines(float step) {
  vec2 at = place / step;
  vec2 width = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6));
  float line = 1.0 - min(min(near.x, near.y), 1.0);
  return line * (1.0 - smoothstep(0.25, 0.6, max(width.x, width.y)));
}
void main() {
  float fade = 1.0 - smoothstep(0.25, 1.0, length(place) / radius);
  float alpha = max(0.45 * lines(spacing), lines(10.0 * spacing)) * fade * strength;
  if (alpha < 0.004) discard;
  gl_FragColor = vec4(color, alpha);
  #include <colorspace_fragment>
}`;

/** 1, 2 or 5 times a power of ten, near x. */
export function niceNumber(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  const lead = x / power;
  return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power;
}

// Floors come before whatever else is transparent: a plane that is drawn later hides what it is seen through.
const planeOrder = -2, gridOrder = -1;

function gridPlane(radius, spacing, color, strength) {
  const material = new ShaderMaterial({
    vertexShader: gridVertex,
    fragmentShader: gridFragment,
    transparent: true,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -1,
    uniforms: { color: { value: new Color(color) }, spacing: { value: spacing }, radius: { value: radius }, strength: { value: strength } },
  });
  const mesh = new Mesh(new PlaneGeometry(2 * radius, 2 * radius), material);
  mesh.renderOrder = gridOrder;
  return mesh;
}

/** The floor of models that have none: a grid below the motion that catches shadows. */
export class ReferenceFloor extends Group {
  constructor(bounds) {
    super();
    const radius = 6 * bounds.radius;
    this.spacing = niceNumber(bounds.radius / 5);
    this.grid = gridPlane(radius, this.spacing, "#888888", 0.7);
    const catcher = new Mesh(new PlaneGeometry(2 * radius, 2 * radius), new ShadowMaterial({ opacity: 0.22, depthWrite: false }));
    catcher.receiveShadow = true;
    catcher.renderOrder = planeOrder;
    this.add(catcher, this.grid);
    this.position.set(bounds.centre[0], bounds.centre[1], bounds.low[2] - 0.002 * bounds.radius);
    // lines through whole multiples of the spacing
    this.position.x = Math.round(this.position.x / (10 * this.spacing)) * 10 * this.spacing;
    this.position.y = Math.round(this.position.y / (10 * this.spacing)) * 10 * this.spacing;
  }

  setTheme(isDark) {
    this.grid.material.uniforms.color.value.set(isDark ? "#9fb4cc" : "#52657c");
    this.grid.material.uniforms.strength.value = isDark ? 0.4 : 0.55;
  }
}

/** A half-space: a wide plane with the look of its shape and a faint grid on it. */
function halfSpace(look, bounds) {
  const radius = reach * bounds.radius;
  const plane = new Mesh(new PlaneGeometry(2 * radius, 2 * radius), new MeshStandardMaterial({ color: lookColor(look), roughness: 0.95 }));
  plane.material.onBeforeCompile = (shader) => fadeOut(shader, radius);
  plane.material.transparent = true;
  plane.receiveShadow = true;
  plane.renderOrder = planeOrder;
  const grid = gridPlane(radius, niceNumber(bounds.radius / 5), "#000000", 0.16);
  const group = new Group();
  group.add(plane, grid);
  group.userData.color = plane.material.color.clone();
  return group;
}

/** Lets a plane fade with the distance to its middle. */
function fadeOut(shader, radius) {
  shader.vertexShader = shader.vertexShader
    .replace("#include <common>", "#include <common>\nvarying vec2 place;")
    .replace("#include <begin_vertex>", "#include <begin_vertex>\nplace = position.xy;");
  shader.fragmentShader = shader.fragmentShader
    .replace("#include <common>", "#include <common>\nvarying vec2 place;")
    .replace("#include <dithering_fragment>",
      `#include <dithering_fragment>\ngl_FragColor.a *= 1.0 - smoothstep(0.35, 0.98, length(place) / ${radius.toExponential(6)});`);
}

/** The lines of a grid shape, in the x-y plane. */
function gridLines({ width, length, spacing }, look) {
  const points = [];
  const alongX = Math.round(width / spacing), alongY = Math.round(length / spacing);
  for (let i = 0; i <= alongX; i++) points.push(i * spacing - width / 2, -length / 2, 0, i * spacing - width / 2, length / 2, 0);
  for (let j = 0; j <= alongY; j++) points.push(-width / 2, j * spacing - length / 2, 0, width / 2, j * spacing - length / 2, 0);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  return new LineSegments(geometry, new LineBasicMaterial({ color: lookColor(look), transparent: true, opacity: look.opacity ?? 1 }));
}

/** Half-spaces and grids of a scene; they may move with a body. */
export class Floors extends Group {
  #entries = [];

  constructor(run, bounds, fallback) {
    super();
    this.run = run;
    const hasLooks = run.objects.some((object) => object.shapes.some((shape) => lookOf(run, shape)));
    for (const object of run.objects) {
      for (const shape of object.shapes) {
        const isUnseen = hasLooks && shape.kind === "halfSpace" && !lookOf(run, shape);
        const look = lookOf(run, shape) ?? fallback;
        const node = shape.kind === "halfSpace" ? halfSpace(look, bounds) : shape.kind === "grid" ? gridLines(shape, look) : null;
        if (node) this.#add(node, object, shape, bounds, isUnseen);
      }
    }
  }

  /** Is there a half-space, which needs no floor below? */
  get isSolid() {
    return this.#entries.some(({ kind, isUnseen }) => kind === "halfSpace" && !isUnseen);
  }

  /** Is there a grid under the whole scene? */
  get hasWideGrid() {
    return this.#entries.some(({ isWide }) => isWide);
  }

  /** `isUnseen`: contact geometry without a look, shown where that is asked for. */
  #add(node, object, shape, bounds, isUnseen) {
    this.add(node);
    const pose = this.run.shapePose(object, shape);
    const isWide = shape.kind === "grid" && Math.min(shape.width, shape.length) > bounds.radius;
    const entry = { node, object, pose, kind: shape.kind, isWide, isUnseen };
    if (shape.kind === "halfSpace" && object.body === 0) centreBelow(entry, bounds);
    this.#entries.push(entry);
  }

  /** A half-space is half a backdrop: in the dark it is darker. */
  setTheme(isDark) {
    for (const { node } of this.#entries) {
      if (!node.userData.color) continue;
      node.children[0].material.color.copy(node.userData.color).multiplyScalar(isDark ? darkFloor : 1);
    }
  }

  write(bodyPoses, isVisible, isContactShown) {
    const pose = new Float64Array(7);
    for (const entry of this.#entries) {
      entry.node.visible = isVisible(entry.object) && (isContactShown || !entry.isUnseen);
      multiplyPoses(bodyPoses, 7 * entry.object.body, entry.pose, 0, pose, 0);
      placeAt(entry.node, pose);
    }
  }
}

/** A plane has no middle: shifts it in itself to lie below the scene, by whole lines of its grid. */
function centreBelow(entry, bounds) {
  const { pose } = entry;
  const step = 10 * niceNumber(bounds.radius / 5);
  const [w, x, y, z] = pose.slice(3);
  const ex = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)];
  const ey = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)];
  for (const e of [ex, ey]) {
    const along = e.reduce((sum, value, i) => sum + value * (bounds.centre[i] - pose[i]), 0);
    const shift = Math.round(along / step) * step;
    for (let i = 0; i < 3; i++) pose[i] += shift * e[i];
  }
}

// Looks: the visual materials of a model as materials of the renderer.
import { Color, DoubleSide, FrontSide, MeshStandardMaterial } from "three";

export const defaultLook = Object.freeze({ name: "default", color: [0.55, 0.62, 0.7], opacity: 1, shininess: 0.4, shadows: true });
export const contactLook = Object.freeze({ name: "contact", color: [0.1, 0.65, 0.75], opacity: 1, shininess: 0, wireframe: true, shadows: false });

/** The look of a shape; null: drawn only where contact geometry is asked for. */
export function lookOf(run, shape) {
  return run.looks[shape.look] ?? null;
}

/** Looks with the same key can share a material: their colours differ from instance to instance. */
export function lookKey(look) {
  return [look.opacity ?? 1, look.wireframe ? "wire" : "", look.shininess ?? 0.4, look.shadows !== false].join(" ");
}

export function lookColor(look) {
  const [r, g, b] = look.color ?? defaultLook.color;
  return new Color().setRGB(r, g, b, "srgb");
}

/** A material; `opacity` other than the look's own makes a ghost. */
export function lookMaterial(look, { opacity = look.opacity ?? 1, hasColors = false } = {}) {
  const shininess = look.shininess ?? 0.4;
  return new MeshStandardMaterial({
    roughness: Math.max(0.12, 1 - 0.85 * shininess),
    metalness: 0,
    opacity,
    transparent: opacity < 1,
    depthWrite: opacity >= 1,
    wireframe: look.wireframe === true,
    vertexColors: hasColors,
    side: opacity < 1 ? DoubleSide : FrontSide,
  });
}

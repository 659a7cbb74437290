// Trails: the ways of bodies over the last seconds, as bands of even width on the screen, all in one draw call.
import { BufferAttribute, DoubleSide, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial, Vector2 } from "three";
import { transformPoint } from "./pose.js";

const maxPieces = 60000; // of all trails together
const finePieces = 1500; // of one trail

const vertexShader = `
attribute vec4 a;     // x y z of the start of a piece, time
attribute vec4 b;     // of its end
attribute vec3 tint;
uniform float now;
uniform float span;
uniform float width;  // [px]
uniform vec2 size;    // [px] of the picture
varying vec3 vTint;
varying float vAge;
void main() {
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside: nothing is drawn
  if (a.w >= now || b.w <= now - span) return;
  float end = min(b.w, now);
  vec3 tip = mix(a.xyz, b.xyz, (end - a.w) / max(b.w - a.w, 1e-12));
  vec4 p = projectionMatrix * viewMatrix * vec4(a.xyz, 1.0);
  vec4 q = projectionMatrix * viewMatrix * vec4(tip, 1.0);
  if (p.w <= 0.0 || q.w <= 0.0) return;
  vec2 along = (q.xy / q.w - p.xy / p.w) * size;
  float far = length(along);
  along = far > 1e-6 ? along / far : vec2(1.0, 0.0);
  bool isEnd = position.y > 0.5;
  gl_Position = isEnd ? q : p;
  vec2 shift = vec2(-along.y, along.x) * position.x + along * (isEnd ? 0.5 : -0.5);
  gl_Position.xy += shift * width / size * gl_Position.w;
  vTint = tint;
  vAge = (now - (isEnd ? end : a.w)) / span;
}`;

const fragmentShader = `
uniform float fade;
varying vec3 vTint;
varying float vAge;
void main() {
  gl_FragColor = vec4(vTint, 0.9 * mix(1.0, max(0.0, 1.0 - vAge), fade));
  #include <colorspace_fragment>
}`;

export class Trails extends Mesh {
  constructor(run, motion) {
    const material = new ShaderMaterial({
      vertexShader, fragmentShader, transparent: true, depthWrite: false, side: DoubleSide,
      uniforms: {
        now: { value: 0 }, span: { value: 1 }, width: { value: 2.5 }, size: { value: new Vector2(1, 1) }, fade: { value: 1 },
      },
    });
    super(new InstancedBufferGeometry(), material);
    this.run = run;
    this.motion = motion;
    this.frustumCulled = false;
    this.renderOrder = 3;
    this.visible = false;
    this.share = 0.25; // of the run: length of a trail; 1: all of it, without fading
  }

  /** Trails of points: { body, point (in the body), color }. */
  setPoints(points) {
    this.geometry.dispose();
    const { run } = this;
    const pieces = points.length === 0 ? 0 : Math.max(2, Math.min(finePieces, Math.floor(maxPieces / points.length), 4 * run.rowCount));
    const from = new Float32Array(4 * pieces * points.length), to = new Float32Array(4 * pieces * points.length);
    const tint = new Float32Array(3 * pieces * points.length);
    for (let i = 0; i <= pieces && pieces > 0; i++) {
      const time = run.startTime + ((run.stopTime - run.startTime) * i) / pieces;
      const poses = this.motion.sample(time);
      points.forEach((point, k) => {
        const p = transformPoint(poses, 7 * point.body, point.point);
        if (i < pieces) writePoint(from, k * pieces + i, p, time - run.startTime);
        if (i > 0) writePoint(to, k * pieces + i - 1, p, time - run.startTime);
        if (i < pieces) point.color.toArray(tint, 3 * (k * pieces + i));
      });
    }
    this.geometry = bandGeometry(from, to, tint);
    this.visible = pieces > 0;
  }

  write(time, width, height, pixelRatio) {
    const { uniforms } = this.material, span = this.run.stopTime - this.run.startTime;
    uniforms.now.value = time - this.run.startTime;
    uniforms.span.value = Math.max(1e-9, span * this.share);
    uniforms.fade.value = this.share < 1 ? 1 : 0;
    uniforms.width.value = 2.6 * pixelRatio;
    uniforms.size.value.set(width * pixelRatio, height * pixelRatio);
  }
}

function writePoint(array, index, p, time) {
  array[4 * index] = p[0];
  array[4 * index + 1] = p[1];
  array[4 * index + 2] = p[2];
  array[4 * index + 3] = time;
}

function bandGeometry(from, to, tint) {
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, 0, 0, 1, 0, 0, 1, 1, 0, -1, 1, 0]), 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  geometry.setAttribute("a", new InstancedBufferAttribute(from, 4));
  geometry.setAttribute("b", new InstancedBufferAttribute(to, 4));
  geometry.setAttribute("tint", new InstancedBufferAttribute(tint, 3));
  geometry.instanceCount = from.length / 4;
  return geometry;
}

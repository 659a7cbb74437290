// The stage: the 3D picture of a run at one time. It owns the renderer, the scene and the camera; everything else asks it to
// show, hide, follow or select, and to draw. Emits "select" (an object or null), "view" (the camera was moved).
import { CanvasTexture, Color, NeutralToneMapping, PCFShadowMap, PerspectiveCamera, Raycaster, Scene, SRGBColorSpace, Vector2, Vector3, WebGLRenderer } from "three";
import { Emitter } from "./emitter.js";
import { ContactView } from "./contact_view.js";
import { findBounds, fitDistance, middleOf, viewDirection } from "./bounds.js";
import { Floors, ReferenceFloor } from "./floor.js";
import { FrameMarkers, JointMarkers, Outline } from "./marker.js";
import { Lettering } from "./lettering.js";
import { MassView } from "./mass_view.js";
import { Lights } from "./light.js";
import { defaultLook } from "./look.js";
import { Orbit } from "./orbit.js";
import { OverlayView } from "./overlay.js";
import { Parts } from "./parts.js";
import { composePoses, multiplyPoses, rotateVector, transformPoint } from "./pose.js";
import { Cables } from "./cable.js";
import { Springs } from "./spring.js";
import { Trails } from "./trail.js";

const defaultFieldOfView = 35; // [degree] vertical
const narrowAspect = 1.25; // pictures narrower than this show as much to the sides as this one
const cameraAspect = 16 / 9; // and, through a camera of the scene, as this one: models are made for wide pictures
const sideMargin = 1.06; // [1] of what is looked at first, in a narrow picture through a camera of the scene
const manyTrails = 120; // moving bodies; beyond, only the selected one leaves a trail
const fineRatio = 2; // pixels computed per pixel shown, across, where the card does not smooth edges
const lineShare = 0.0032; // radius of a thin line, of the distance to the target

/**
 * What draws: { renderer, isSoftware }. Edges are smoothed by the graphics card; where there is none, in files only, so that the
 * animation stays fluent. Takes a while, in which a browser does nothing else.
 */
export function openRenderer() {
  const canvas = document.createElement("canvas"), context = canvas.getContext("webgl2");
  const isSlow = context !== null && isSoftware(context);
  const renderer = isSlow ? new WebGLRenderer({ canvas, context }) : new WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
  renderer.debug.checkShaderErrors = false; // asking for errors waits for each shader in turn
  return { renderer, isSoftware: isSlow };
}

export class Stage extends Emitter {
  #raycaster = new Raycaster();
  #stillCamera = null; // object of the scene whose camera is looked through
  #followed = null;
  #followedAt = null;

  /**
   * `isFine`: edges are smooth even where no graphics card does that. `overlays`: other runs over this one. `opened`: what
   * openRenderer has given. Throws where there is no WebGL.
   */
  constructor(run, motion, view, isFine, overlays = [], opened = openRenderer()) {
    super();
    this.run = run;
    this.overlays = overlays;
    this.motion = motion;
    this.view = view;
    this.time = run.startTime;
    this.hidden = new Set(); // objects
    this.ghosts = new Set();
    this.selected = null;
    this.options = { seeThrough: true, trails: false, contactShapes: false, floor: true, shadows: true };
    this.cost = { script: 0, prepare: 0, calls: 0 };
    Object.assign(this, opened);
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `3D picture of ${run.title}. Drag to turn, wheel to zoom, click an object to select it.`);
    this.canvas.addEventListener("webglcontextrestored", () => this.invalidate());
    view.prepend(this.canvas);
    this.#setUpRenderer(isFine);
    this.#buildScene();
    this.#setUpCamera();
  }

  #setUpRenderer(isFine) {
    const { renderer } = this;
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    renderer.toneMapping = NeutralToneMapping;
    renderer.toneMappingExposure = 1.0;
    renderer.setPixelRatio(this.isSoftware ? (isFine ? fineRatio : 1) : Math.min(2, window.devicePixelRatio || 1));
  }

  #buildScene() {
    const { run, motion } = this;
    this.scene = new Scene();
    this.parts = new Parts(run, this.scene);
    this.others = new OverlayView(this.overlays, this.scene);
    this.bounds = findBounds(run, motion, this.parts);
    this.lights = new Lights(run, this.bounds, this.isSoftware ? 1024 : 2048);
    this.floors = new Floors(run, this.bounds, defaultLook);
    this.referenceFloor = new ReferenceFloor(this.bounds);
    this.lettering = new Lettering(run, defaultLook);
    this.springs = new Springs(run, this.bounds);
    this.cables = new Cables(run, this.bounds);
    this.contacts = new ContactView(run, this.bounds, () => this.#touchingRadius());
    this.trails = new Trails(run, motion);
    this.frames = new FrameMarkers(run, this.bounds);
    this.joints = new JointMarkers(run, this.bounds);
    this.frames.visible = run.objects.some(({ body }) => run.bodies[body]?.poses) && this.parts.list.every((part) => part.isStill); // else nothing is seen to move
    this.masses = new MassView(run, this.bounds);
    this.outline = new Outline();
    this.scene.add(this.masses, this.lights, this.floors, this.referenceFloor, this.lettering, this.springs, this.cables, this.contacts,
      this.trails, this.frames, this.joints, this.outline);
  }

  /** Radius of a moving body that touches another one [m]: half of them are smaller. */
  #touchingRadius() {
    const paths = new Set((this.run.contacts?.pairs ?? []).flat());
    const radii = this.parts.list.filter((part) => !part.isStill && paths.has(part.object.path)).map((part) => this.parts.ballOf(part, this.motion.poses).radius);
    return radii.sort((a, b) => a - b)[radii.length >> 1] ?? this.bounds.radius;
  }

  #setUpCamera() {
    this.camera = new PerspectiveCamera(defaultFieldOfView, 1.6, 0.1, 100);
    this.camera.up.set(0, 0, 1);
    this.fieldOfView = defaultFieldOfView;
    this.orbit = new Orbit(this.camera, this.canvas);
    this.orbit.minDistance = 0.01 * this.bounds.radius;
    this.orbit.maxDistance = 60 * this.bounds.radius;
    this.orbit.on("change", () => this.#leaveSceneCamera());
    this.orbit.on("click", (place) => this.select(this.pick(place)?.part.object ?? null));
    this.orbit.on("focus", (place) => this.#focus(this.pick(place)?.point));
    this.sceneCameras = this.run.objects.filter((object) => object.camera);
    this.resetView();
  }

  /** Shows another run of the same or a changed model, looked at as before. */
  setRun(run, motion) {
    const old = this.scene, { show, forceFactor } = this.contacts, { frames, joints, trails, masses } = this;
    const find = (object) => (object && run.objectOf.get(object.path)) ?? null;
    this.run = run;
    this.motion = motion;
    this.hidden = new Set([...this.hidden].map(find).filter(Boolean));
    this.ghosts = new Set([...this.ghosts].map(find).filter(Boolean));
    this.#stillCamera = find(this.#stillCamera);
    this.#followed = find(this.#followed);
    this.#buildScene();
    Object.assign(this.contacts.show, show);
    this.contacts.forceFactor = forceFactor;
    this.frames.visible = frames.visible;
    this.joints.visible = joints.visible;
    this.trails.share = trails.share;
    Object.assign(this.masses.show, masses.show);
    if (this.options.contactShapes) this.parts.addContactShapes();
    this.lights.key.castShadow = this.options.shadows;
    this.sceneCameras = run.objects.filter((object) => object.camera);
    this.orbit.minDistance = 0.01 * this.bounds.radius;
    this.orbit.maxDistance = 60 * this.bounds.radius;
    this.#followedAt = this.#followed ? this.#middle(this.#followed) : null;
    this.setTheme(this.isDark);
    this.select(find(this.selected));
    this.draw(); // before the old one goes, so that shaders are kept
    dispose(old);
  }

  // --------------------------------------------------------------------------------------------------------- view

  /** The view that the report opens with: the first camera of the scene, or all of the motion. */
  resetView() {
    this.follow(null);
    this.motion.sample(this.time);
    if (this.sceneCameras.length > 0) this.useSceneCamera(this.sceneCameras[0]);
    else this.viewAll(viewDirection(this.bounds));
    if (this.bounds.isLeft && this.sceneCameras.length === 0) this.follow(this.#heaviest());
  }

  /** The moving object with the largest mass; where none has one, the first that is drawn. */
  #heaviest() {
    const moving = this.parts.list.filter((part) => !part.isStill).map(({ object }) => object);
    return moving.reduce((best, object) => ((object.mass ?? 0) > (best.mass ?? 0) ? object : best), moving[0]) ?? null;
  }

  /** Frames the whole motion from a direction. */
  viewAll(direction) {
    this.#stillCamera = null;
    this.#setFieldOfView(defaultFieldOfView);
    const distance = fitDistance(this.camera, this.bounds, direction);
    const length = Math.hypot(...direction), { centre } = this.bounds;
    this.orbit.lookAt(centre.map((x, i) => x + (direction[i] * distance) / length), centre);
    this.emit("view");
  }

  /** Looks through a camera of the scene, until the view is moved by hand. */
  useSceneCamera(object) {
    this.#stillCamera = object;
    this.#placeSceneCamera();
    this.#setFieldOfView(((object.camera.fieldOfView ?? 0.6) * 180) / Math.PI);
    this.emit("view");
  }

  #placeSceneCamera() {
    const object = this.#stillCamera;
    const pose = multiplyPoses(this.motion.poses, 7 * object.body, object.pose, 0, new Float64Array(7), 0);
    const forward = rotateVector(pose, 0, [0, 0, -1]);
    const depth = Math.max(0.2 * this.bounds.radius, this.bounds.centre.reduce((sum, x, i) => sum + (x - pose[i]) * forward[i], 0));
    this.orbit.target.set(...forward.map((x, i) => pose[i] + depth * x));
    this.camera.position.set(pose[0], pose[1], pose[2]);
    this.camera.quaternion.set(pose[4], pose[5], pose[6], pose[3]);
  }

  #leaveSceneCamera() {
    this.#stillCamera = null;
    this.emit("view");
    this.invalidate();
  }

  #setFieldOfView(degrees) {
    this.fieldOfView = degrees;
    const { aspect } = this.camera;
    const widen = this.#stillCamera ? this.#findWidening(degrees) : Math.max(1, narrowAspect / aspect);
    this.camera.fov = (360 / Math.PI) * Math.atan(widen * Math.tan((degrees * Math.PI) / 360));
    this.camera.updateProjectionMatrix();
  }

  /** How much wider a camera of the scene has to look in a narrow picture, for what is looked at first: no more than it needs. */
  #findWidening(degrees) {
    const { aspect, position, quaternion } = this.camera, most = Math.max(1, cameraAspect / aspect);
    const tangent = aspect * Math.tan((degrees * Math.PI) / 360), back = quaternion.clone().invert(), { low, high } = this.bounds;
    let needed = 0;
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]).sub(position).applyQuaternion(back);
      needed = Math.max(needed, corner.z < 0 ? Math.abs(corner.x / corner.z) / tangent : most);
    }
    return Math.max(1, Math.min(most, sideMargin * needed));
  }

  /** Keeps an object in its place in the picture; null: stops that. */
  follow(object) {
    this.#followed = object;
    this.#followedAt = object ? this.#middle(object) : null;
    if (object) {
      this.#stillCamera = null;
      const { target } = this.orbit;
      this.orbit.shift(...[target.x, target.y, target.z].map((x, i) => this.#followedAt[i] - x));
    }
    this.emit("view");
  }

  /** Turns about a point from now on. */
  #focus(point) {
    if (!point) return;
    this.orbit.shift(point.x - this.orbit.target.x, point.y - this.orbit.target.y, point.z - this.orbit.target.z);
    this.#leaveSceneCamera();
  }

  /** Turns, or comes nearer (zoom below 1), as if by hand. */
  moveView(azimuth, elevation, zoom) {
    this.orbit.turn(azimuth, elevation);
    this.orbit.zoom(zoom);
    this.#leaveSceneCamera();
  }

  get followed() {
    return this.#followed;
  }

  get sceneCamera() {
    return this.#stillCamera;
  }

  #middle(object) {
    return transformPoint(this.motion.poses, 7 * object.body, middleOf(this.parts, object));
  }

  #moveCamera() {
    if (this.#stillCamera) this.#placeSceneCamera();
    if (this.#followed) {
      const now = this.#middle(this.#followed);
      this.orbit.shift(...now.map((x, i) => x - this.#followedAt[i]));
      this.#followedAt = now;
    }
    const distance = this.camera.position.distanceTo(this.orbit.target);
    this.camera.near = Math.max(0.002 * this.bounds.radius, 0.02 * distance);
    this.camera.far = distance + 30 * this.bounds.radius;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  // --------------------------------------------------------------------------------------------------- what is shown

  /** Shows an object as selected; null: none. */
  select(object) {
    this.selected = object;
    this.outline.setParts(object ? this.parts.partsOf.get(object) ?? [] : []);
    if (this.options.trails) this.#plantTrails();
    this.emit("select", object);
    this.invalidate();
  }

  setHidden(objects, isHidden) {
    for (const object of objects) isHidden ? this.hidden.add(object) : this.hidden.delete(object);
    this.invalidate();
  }

  setGhost(object, isGhost) {
    isGhost ? this.ghosts.add(object) : this.ghosts.delete(object);
    this.invalidate();
  }

  /** Sets an option of the picture: see `options`, and points, normals, forces, frames, joints, centres, inertia. */
  setOption(name, value) {
    if (name in this.contacts.show) this.contacts.show[name] = value;
    else if (name === "forceFactor") this.contacts.forceFactor = value;
    else if (name === "trailShare") this.trails.share = value;
    else if (name === "frames") this.frames.visible = value;
    else if (name === "joints") this.joints.visible = value;
    else if (name === "centres" || name === "inertia") this.masses.show[name] = value;
    else this.options[name] = value;
    if (name === "trails") this.#plantTrails();
    if (name === "contactShapes" && value) this.parts.addContactShapes();
    if (name === "shadows") this.lights.key.castShadow = value;
    this.invalidate();
  }

  /** Plants trails anew, since the run has grown. */
  refreshTrails() {
    if (this.options.trails) this.#plantTrails();
    this.invalidate();
  }

  /** Trails of all moving bodies, or of the selected object where these are too many. */
  #plantTrails() {
    const points = [];
    if (this.options.trails) {
      const bodies = new Map();
      for (const part of this.parts.list) if (!part.isStill && !part.isContactOnly) bodies.set(part.object.body, part);
      if (bodies.size <= manyTrails) {
        for (const part of bodies.values()) points.push(this.#trailOf(part.object, part.color));
      }
      const { selected } = this;
      if (selected && bodies.size > manyTrails) points.push(this.#trailOf(selected, this.parts.partsOf.get(selected)?.[0]?.color));
    }
    this.trails.setPoints(points);
    this.motion.sample(this.time);
  }

  /** The trail of an object, in its colour, but neither so pale nor so dark that it is lost. */
  #trailOf(object, color) {
    const tint = new Color(color ?? "#888888"), shade = tint.getHSL({}, SRGBColorSpace);
    tint.setHSL(shade.h, Math.min(1, shade.s * 1.1), Math.max(0.35, Math.min(0.6, shade.l)), SRGBColorSpace);
    return { body: object.body, point: middleOf(this.parts, object), color: tint };
  }

  setTheme(isDark) {
    this.isDark = isDark;
    this.scene.background = backdrop(isDark);
    this.referenceFloor.setTheme(isDark);
    this.floors.setTheme(isDark);
    this.lights.setTheme(isDark);
    this.invalidate();
  }

  /** What is seen at a place of the picture [px]: { part, point } or null. */
  pick({ x, y }) {
    const place = new Vector2((2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight);
    this.#raycaster.setFromCamera(place, this.camera);
    return this.parts.pick(this.#raycaster);
  }

  /** Pose of an object as shown: x y z, w x y z. */
  poseOf(object) {
    return Array.from(composePoses(this.motion.poses.subarray(7 * object.body, 7 * object.body + 7), object.pose));
  }

  poseAt(object, time) {
    this.motion.sample(time);
    const pose = this.poseOf(object);
    this.motion.sample(this.time);
    return pose;
  }

  // ------------------------------------------------------------------------------------------------------- drawing

  /** The picture needs to be drawn again. */
  invalidate() {
    this.isStale = true;
  }

  /** Draws if anything has changed since the last time. */
  drawIfStale() {
    if (this.isStale) this.draw();
  }

  setTime(time) {
    this.time = time;
    this.motion.sample(time);
    this.invalidate();
  }

  draw() {
    const begin = performance.now();
    this.isStale = false;
    const poses = this.motion.sample(this.time);
    this.#moveCamera();
    this.#setPartStates(poses);
    this.parts.write(poses);
    this.others.write(this.time);
    this.#writeAround(poses);
    const prepared = performance.now();
    this.renderer.info.autoReset = false;
    this.renderer.info.reset();
    this.renderer.render(this.scene, this.camera);
    this.cost = { script: performance.now() - begin, prepare: prepared - begin, calls: this.renderer.info.render.calls };
  }

  #writeAround(poses) {
    const isVisible = (object) => !this.hidden.has(object);
    const distance = this.camera.position.distanceTo(this.orbit.target);
    const width = Math.min(lineShare * distance, 0.02 * this.bounds.radius);
    this.floors.write(poses, isVisible, this.options.contactShapes);
    this.lettering.write(poses, isVisible);
    this.springs.write(poses, isVisible);
    this.cables.write(poses, isVisible);
    this.contacts.write(this.time, width);
    this.frames.write(poses, isVisible);
    this.joints.write(poses, width);
    this.masses.write(poses, width);
    this.outline.write(poses, 0.0035 * distance);
    this.trails.write(this.time, this.width, this.height, this.renderer.getPixelRatio());
    this.referenceFloor.visible = this.options.floor && !this.floors.isSolid;
    this.referenceFloor.grid.visible = !this.floors.hasWideGrid;
  }

  /** Solid, ghost or hidden: by the switches of the user, and ghosts for what stands before the selected object. */
  #setPartStates(poses) {
    const sights = this.#sights(poses);
    const isPlain = this.hidden.size === 0 && this.ghosts.size === 0 && sights.length === 0 && !this.options.contactShapes;
    if (isPlain && this.isPlain) return; // all are as they were
    this.isPlain = isPlain;
    for (const part of this.parts.list) {
      let state = "solid";
      if (this.hidden.has(part.object) || (part.isContactOnly && !this.options.contactShapes)) state = "hidden";
      else if (this.ghosts.has(part.object) || (this.options.contactShapes && !part.isContactOnly)) state = "ghost";
      else if (sights.some(([a, b]) => part.object !== (this.selected ?? this.#followed) && this.parts.isBetween(part, poses, a, b))) state = "ghost";
      this.parts.setState(part, state);
    }
  }

  /** Lines of sight from the camera to the object of interest, that should be free. */
  #sights(poses) {
    const object = this.selected ?? this.#followed;
    if (!object || !this.options.seeThrough) return [];
    const eye = this.camera.position.toArray();
    const balls = (this.parts.partsOf.get(object) ?? []).map((part) => this.parts.ballOf(part, poses));
    const points = balls.slice(0, 8).map(({ centre, radius }) => stopShort(eye, centre, 0.6 * radius));
    return points.map((point) => [eye, point]);
  }

  /** Fits the picture to its place on the page. */
  resize() {
    const width = Math.max(1, this.view.clientWidth), height = Math.max(1, this.view.clientHeight);
    if (width === this.width && height === this.height) return;
    const isFirst = this.width === undefined;
    this.#setSize(width, height, true);
    if (!isFirst) this.draw(); // at once: a resized canvas is empty
  }

  #setSize(width, height, isStyled) {
    const isFirst = this.width === undefined;
    this.width = width;
    this.height = height;
    this.renderer.setSize(width, height, isStyled);
    this.camera.aspect = width / height;
    this.#setFieldOfView(this.fieldOfView);
    if (isFirst) this.resetView();
  }

  /** A picture of any size at the time shown, as a data URL of a PNG; drawn at once. */
  renderFrame(width, height) {
    const old = { width: this.width ?? width, height: this.height ?? height, ratio: this.renderer.getPixelRatio() };
    const ratio = this.isSoftware ? fineRatio : 1;
    const isOther = width !== this.width || height !== this.height || ratio !== old.ratio;
    if (isOther) {
      this.renderer.setPixelRatio(ratio);
      this.#setSize(width, height, false);
    }
    this.draw();
    const picture = (ratio > 1 ? reduced(this.canvas, width, height) : this.canvas).toDataURL("image/png");
    if (isOther) {
      this.renderer.setPixelRatio(old.ratio);
      this.#setSize(old.width, old.height, true);
      this.invalidate();
    }
    return picture;
  }
}

/** Frees what the graphics card holds of a scene. */
function dispose(scene) {
  scene.background?.dispose?.();
  scene.traverse((node) => {
    node.geometry?.dispose();
    for (const material of [node.material ?? []].flat()) {
      for (const value of Object.values(material)) if (value?.isTexture) value.dispose();
      material.dispose();
    }
    node.shadow?.map?.dispose();
    if (node.isInstancedMesh) node.dispose();
  });
}

/** The point before b, seen from a, by `gap`. */
function stopShort(a, b, gap) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) || 1;
  return b.map((x, i) => x - ((x - a[i]) * gap) / length);
}

/** Does a context draw without a graphics card? */
function isSoftware(context) {
  const info = context.getExtension("WEBGL_debug_renderer_info");
  return info !== null && /swiftshader|llvmpipe|software/i.test(context.getParameter(info.UNMASKED_RENDERER_WEBGL));
}

/** The picture on a canvas, reduced to a size. */
function reduced(canvas, width, height) {
  const small = document.createElement("canvas");
  small.width = width;
  small.height = height;
  const pen = small.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(canvas, 0, 0, width, height);
  return small;
}

/** A soft gradient behind the scene. */
function backdrop(isDark) {
  const canvas = document.createElement("canvas");
  canvas.width = 2;
  canvas.height = 256;
  const pen = canvas.getContext("2d");
  const gradient = pen.createLinearGradient(0, 0, 0, 256);
  const stops = isDark ? ["#2c3848", "#222c39", "#171f29"] : ["#dfe8f1", "#f1f5f9", "#fbfcfd"];
  stops.forEach((color, i) => gradient.addColorStop(i / 2, color));
  pen.fillStyle = gradient;
  pen.fillRect(0, 0, 2, 256);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

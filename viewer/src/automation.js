// window.carom: what tests and programs may rely on.
//
//   carom.time, start, stop        [s]
//   carom.setTime(t)               shows a time, and draws it at once
//   carom.live                     null: it is no run that goes on; "live"; else how it ended: "ok", "interrupted", "failed", "lost"
//   carom.rowCount                 output points that are here
//   carom.play(), pause(), speed   speed can be set
//   carom.objects, moving, signals paths of objects, of those on moving bodies, names of signals
//   carom.poseOf(path)             [x, y, z, w, x, y, z] of an object as shown, in the world
//   carom.poseAt(path, t)          the same at another time, without showing it
//   carom.others                   names of the runs that are shown over this one
//   carom.poseOfOther(i, path)     of a body of one of them, as shown
//   carom.valueOf(name)            value of a signal at the time shown
//   carom.cables, carom.lengthOf(path)    paths of cables; [m] of one as drawn
//   carom.select(path or null), selected
//   carom.follow(path or null)
//   carom.look(direction)          looks at the whole motion from a direction
//   carom.ghosts                   paths of the objects that are transparent since they are in the way
//   carom.setVisible(path, is)
//   carom.setOption(name, value)   forces, points, patches, normals, trails, frames, joints, centres, inertia, contactShapes, seeThrough, floor, shadows …
//   carom.cameras                  paths of the cameras of the scene; the first is looked through at the start
//   carom.show(page)               plots, objects, contacts, statistics or model
//   carom.plot(names)              a new plot of these signals
//   carom.plotOver(x, names)       a new x–y plot of signals over another one
//   carom.plots                    names of the signals of all plots
//   carom.spots                    [px, px] of the dots in the last plot, an x–y plot
//   carom.contacts                 contact samples as shown, eleven numbers each
//   carom.arrowScale               [m/N] of force arrows
//   carom.ellipsoids               { path, lengths [m] } of the bodies whose inertia is known
//   carom.patchTriangles           number of triangles of patches as shown
//   carom.renderFrame(width, height)         the picture as shown, as a data URL of a PNG
//   carom.capture(t, width, height)          the picture at a time, drawn synchronously
//   carom.visibleIn(path)          corners of an object in the picture: { left, right, top, bottom } in -1 … 1
//   carom.cost                     { script, prepare [ms], calls } of the last picture; what is not prepared is handed to the drawing machine
//
// performance.getEntriesByName("carom-ready") says when the first picture was drawn.
//
// The address of the page understands #time=1.5&bare=1&theme=dark&select=PATH&follow=PATH&page=NAME&play=1&trails=1…;
// `bare` shows the picture alone; `fine` smooths its edges where that is slow. When the first picture is drawn, the root element gets data-ready="1".
import { Vector3 } from "three";
import { XyPlot } from "./xy_plot.js";

/** Options given in the address of the page. */
export function readAddress() {
  return new URLSearchParams(window.location.hash.slice(1));
}

export function makeAutomation({ run, stage, clock, board, panel }) {
  const object = (path) => {
    const found = run.objectOf.get(path);
    if (!found) throw new Error(`there is no object ${path}`);
    return found;
  };
  const setTime = (time) => {
    clock.pause();
    clock.setTime(time);
    stage?.draw();
  };
  return {
    get time() { return clock.time; },
    get live() { return run.live ? run.liveEnd ?? "live" : null; },
    get rowCount() { return run.rowCount; },
    get start() { return clock.start; },
    get stop() { return clock.stop; },
    get speed() { return clock.speed; },
    set speed(value) { clock.setSpeed(value); },
    get isPlaying() { return clock.isPlaying; },
    get objects() { return run.objects.map(({ path }) => path); },
    get moving() { return run.objects.filter(({ body }) => run.bodies[body]?.poses).map(({ path }) => path); },
    get cameras() { return run.objects.filter(({ camera }) => camera).map(({ path }) => path); },
    get signals() { return run.variables.map(({ name }) => name); },
    get selected() { return stage?.selected?.path ?? null; },
    get plots() { return board.plots.map((plot) => plot.variables.map(({ name }) => name)); },
    get patchTriangles() { return stage?.contacts.patches.count ?? 0; },
    get others() { return run.others.map(({ name }) => name); },
    poseOfOther: (i, path) => stage.others.poseOf(i, path),
    get spots() { return board.plots.at(-1)?.spots ?? []; },
    get arrowScale() { return stage?.contacts.metresPerNewton ?? 0; },
    get ellipsoids() { return stage.masses.entries.map(({ body, lengths }) => ({ path: run.bodies[body].path, lengths })); },
    get contacts() { return (stage?.contacts.shown ?? []).map((sample) => Array.from(sample)); },
    get ghosts() { return [...new Set(stage.parts.list.filter((part) => part.state === "ghost").map((part) => part.object.path))]; },
    get cost() { return { ...stage.cost }; },
    setTime,
    play: () => clock.play(),
    pause: () => clock.pause(),
    poseOf: (path) => stage.poseOf(object(path)),
    cables: run.cables.map(({ path }) => path),
    lengthOf: (path) => stage.cables.lengthOf(path),
    poseAt: (path, time) => stage.poseAt(object(path), time),
    valueOf: (name) => run.valueAt(run.variableOf.get(name), clock.time),
    select: (path) => stage.select(path === null ? null : object(path)),
    follow: (path) => {
      stage.follow(path === null ? null : object(path));
      stage.draw();
    },
    look: (direction) => {
      stage.follow(null);
      stage.viewAll(direction);
      stage.draw();
    },
    setVisible: (path, isVisible) => {
      stage.setHidden([object(path)], !isVisible);
      stage.draw();
    },
    setOption: (name, value) => {
      stage.setOption(name, value);
      stage.draw();
    },
    show: (page) => panel.show(page),
    plot: (names) => {
      panel.show("plots");
      board.addPlot(names.map((name) => run.variableOf.get(name)).filter(Boolean));
    },
    plotOver: (x, names) => {
      panel.show("plots");
      board.addPlot([x, ...names].map((name) => run.variableOf.get(name)).filter(Boolean), XyPlot);
    },
    renderFrame: (width, height) => stage.renderFrame(width, height),
    capture: (time, width, height) => {
      clock.pause();
      clock.setTime(time);
      return stage.renderFrame(width, height);
    },
    visibleIn: (path) => pictureBox(stage, object(path)),
  };
}

/** Where the corners of an object's parts are in the picture; null without parts. */
function pictureBox(stage, object) {
  const parts = (stage.parts.partsOf.get(object) ?? []).filter((part) => part.state !== "hidden");
  if (parts.length === 0) return null;
  const points = parts.flatMap((part) => stage.parts.cornersOf(part, stage.motion.poses)).map((p) => new Vector3(...p).project(stage.camera));
  const xs = points.map((p) => p.x), ys = points.map((p) => p.y);
  return { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) };
}

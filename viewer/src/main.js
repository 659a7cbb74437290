// The page of a report: reads the run, builds stage, transport and panel, and keeps them in step.
import { byId, element, iconButton, icon } from "./dom.js";
import { Clock } from "./clock.js";
import { HoverLabel } from "./hover.js";
import { LiveFeed, follow } from "./live.js";
import { Motion } from "./motion.js";
import { ObjectCard } from "./card.js";
import { ObjectTree } from "./tree.js";
import { Panel, makeDivider } from "./panel.js";
import { PlotBoard } from "./plot_board.js";
import { Stage } from "./stage.js";
import { Theme } from "./theme.js";
import { Transport } from "./transport.js";
import { ViewMenus } from "./menu.js";
import { buildContacts } from "./contact_page.js";
import { buildHelp, listenToKeys, shortcuts } from "./keys.js";
import { buildModel } from "./model_page.js";
import { buildStatistics, thinnedText } from "./statistics_page.js";
import { count, formatNumber } from "./number_text.js";
import { buildRunKey, makeOverlays } from "./overlay.js";
import { makeAutomation, readAddress } from "./automation.js";
import { readRun } from "./run.js";

const longestFrame = 0.1; // [s] after a pause of the browser, the animation goes on, it does not jump

async function main() {
  const address = readAddress();
  const theme = new Theme(address.get("theme"));
  document.documentElement.classList.toggle("is-bare", address.get("bare") === "1");
  const run = await readRun();
  const feed = run.live ? new LiveFeed(run, "events") : null;
  await feed?.start();
  showHead(run);
  const clock = new Clock(run), motion = new Motion(run), overlays = makeOverlays(run);
  const stage = openStage(run, motion, address.get("bare") === "1" || address.get("fine") === "1", overlays);
  const board = new PlotBoard(run, clock, theme, overlays);
  const tree = new ObjectTree(run, stage, board);
  const page = { run, clock, stage, board, tree, theme };
  const key = buildRunKey(run, overlays, () => {
    board.rebuild();
    stage?.invalidate();
  });
  if (key) byId("view").append(key);
  page.transport = new Transport(run, clock, theme, byId("transport"));
  page.panel = buildPanel(page);
  makeDivider(byId("divider"), byId("work"));
  if (stage) dressStage(page);
  const list = shortcuts(page), help = buildHelp(list);
  listenToKeys(list, help);
  byId("actions").append(iconButton("help", "Keys and mouse (?)", () => help.showModal(), { id: "show-help" }), theme.button());
  window.carom = Object.freeze(makeAutomation(page));
  applyAddress(page, address);
  if (feed) watch(feed, page);
  startLoop(page);
}

/** Shows a run that goes on, and says how it does. */
function watch(feed, page) {
  const { run } = page;
  const texts = { ok: "the run is over", interrupted: "the run was interrupted", failed: "the run has failed", lost: "the connection is lost" };
  const badge = element("p", { class: "live", id: "live", role: "status" });
  const show = () => {
    showHead(run);
    badge.classList.toggle("is-over", run.liveEnd !== null);
    badge.textContent = run.liveEnd === null ? "live" : texts[run.liveEnd] + (run.isCut ? "; its end is not here" : "");
  };
  byId("view").append(badge);
  follow(feed, page);
  feed.on("rows", show);
  feed.on("end", show);
  show();
}

function showHead(run) {
  document.title = `${run.title} – Carom`;
  byId("title").textContent = run.title;
  const moving = run.bodies.filter((body) => body.poses).length;
  const facts = [count(moving, "moving body", "moving bodies"), `${formatNumber(run.stopTime - run.startTime)} s`, count(run.rowCount, "row")];
  if (run.contactList.length > 0) facts.push(count(run.contactList.length, "contact"));
  byId("subtitle").textContent = facts.join(" · ");
}

/** The 3D picture, or a note where the browser has no WebGL. */
function openStage(run, motion, isFine, overlays) {
  const view = byId("view");
  try {
    return new Stage(run, motion, view, isFine, overlays);
  } catch (error) {
    if (!isMissingWebgl()) throw error;
    view.append(element("p", { class: "no-picture", role: "alert", text: "This browser cannot draw in 3D (WebGL is off or missing). Plots and tables work all the same." }));
    return null;
  }
}

function isMissingWebgl() {
  return document.createElement("canvas").getContext("webgl2") === null;
}

function buildPanel({ run, clock, stage, board, tree }) {
  const go = (time, path) => {
    clock.pause();
    clock.setTime(time);
    const object = path === undefined ? null : run.objectOf.get(path);
    if (object && stage) stage.select(object);
  };
  return new Panel(byId("panel"), [
    { id: "plots", name: "Plots", build: (place) => board.build(place) },
    { id: "objects", name: "Objects", isOfRun: true, build: (place) => tree.build(place) },
    { id: "contacts", name: "Contacts", isOfRun: true, badge: run.contactList.length ? run.contactList.length.toLocaleString("en") : "", build: (place) => buildContacts(run, clock, board, go, place) },
    { id: "statistics", name: "Statistics", build: (place) => buildStatistics(run, place) },
    { id: "model", name: "Model", build: (place) => buildModel(run, place) },
  ]);
}

/** Everything that lies over the picture. */
function dressStage(page) {
  const { run, stage, clock, board, tree, theme } = page, view = byId("view");
  clock.on("time", (time) => stage.setTime(time)); // before all others that show something of this time
  page.menus = new ViewMenus(run, stage, clock, view);
  page.card = new ObjectCard(run, stage, clock, board, tree, view);
  new HoverLabel(stage, clock, view);
  const start = element("button", { type: "button", class: "start", "aria-label": "Play", onclick: () => clock.play() }, icon("play"));
  const eventText = element("p", { class: "event-text", role: "status" });
  view.append(start, eventText);
  if (run.thinned.every > 1) view.append(element("p", { class: "thinned", title: thinnedText(run), text: `1 in ${run.thinned.every} points` }));
  clock.on("time", () => {
    start.hidden = true;
    showEvent(run, clock, eventText);
  });
  clock.on("state", () => { start.hidden ||= clock.isPlaying; });
  stage.setTheme(theme.isDark);
  theme.on("change", (isDark) => stage.setTheme(isDark));
  new ResizeObserver(() => stage.resize()).observe(view);
  stage.resize();
}

/** The event at the time shown, if one is. */
function showEvent(run, clock, place) {
  const near = 1e-6 * (clock.stop - clock.start);
  const event = clock.isPlaying ? null : run.events.find(({ time }) => Math.abs(time - clock.time) <= near);
  place.textContent = event ? [event.kind, event.text].filter(Boolean).join(": ") : "";
}

function applyAddress(page, address) {
  const { run, clock, stage, panel } = page;
  const find = (name) => (address.has(name) ? run.objectOf.get(address.get(name)) : undefined);
  if (address.has("time")) clock.setTime(Number(address.get("time")));
  if (address.has("speed")) clock.setSpeed(Number(address.get("speed")));
  if (panel.pages.some(({ id }) => id === address.get("page"))) panel.show(address.get("page"));
  if (!stage) return;
  if (find("select")) stage.select(find("select"));
  if (find("follow")) stage.follow(find("follow"));
  for (const [option] of page.menus.boxes) {
    if (address.has(option) && page.menus.boxes.get(option).checked !== (address.get(option) === "1")) page.menus.toggle(option);
  }
  if (address.get("play") === "1") clock.play();
}

/** Draws whenever something has changed, and goes on in time while playing. */
function startLoop({ clock, stage }) {
  let last = performance.now();
  const frame = (now) => {
    const seconds = Math.min(longestFrame, (now - last) / 1000);
    last = now;
    if (clock.isPlaying) clock.advance(seconds);
    stage?.drawIfStale();
    requestAnimationFrame(frame);
  };
  stage?.draw();
  performance.mark("carom-ready");
  document.documentElement.dataset.ready = "1";
  requestAnimationFrame(frame);
}

main().catch((error) => {
  console.error(error);
  byId("subtitle").textContent = "";
  byId("work").replaceChildren(element("p", { class: "failure", role: "alert", text: error.message }));
  document.documentElement.dataset.ready = "failed";
});

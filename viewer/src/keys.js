// Keyboard shortcuts, and the overlay that lists them.
import { element } from "./dom.js";

const turnStep = 0.12; // [rad]

/** { keys, text, action } of all shortcuts. */
export function shortcuts({ clock, stage, menus, card, theme, panel }) {
  const list = [
    { keys: [" "], shown: "Space", text: "play, pause", action: () => clock.toggle() },
    { keys: ["ArrowLeft", ","], shown: "←", text: "one output point back", action: () => clock.stepFrame(-1) },
    { keys: ["ArrowRight", "."], shown: "→", text: "one output point forward", action: () => clock.stepFrame(1) },
    { keys: ["["], shown: "[", text: "previous event", action: () => clock.stepEvent(-1) },
    { keys: ["]"], shown: "]", text: "next event", action: () => clock.stepEvent(1) },
    { keys: ["Home"], shown: "Home", text: "to the start", action: () => clock.setTime(clock.start) },
    { keys: ["End"], shown: "End", text: "to the end", action: () => clock.setTime(clock.stop) },
    { keys: ["-"], shown: "−", text: "slower", action: () => clock.changeSpeed(-1) },
    { keys: ["+", "="], shown: "+", text: "faster", action: () => clock.changeSpeed(1) },
    { keys: ["l"], shown: "L", text: "repeat", action: () => clock.setLooping(!clock.isLooping) },
    { keys: ["d"], shown: "D", text: "light or dark", action: () => theme.toggle() },
    { keys: ["1", "2", "3", "4", "5"], shown: "1 … 5", text: "pages of the panel", action: (key) => panel.pages[key - 1] && panel.show(panel.pages[key - 1].id) },
  ];
  if (!stage) return list;
  const toggles = [["c", "forces", "contact forces"], ["n", "normals", "contact normals"], ["p", "patches", "contact patches"], ["t", "trails", "trails"], ["x", "seeThrough", "see through what is in the way"],
    ["j", "joints", "joint axes"], ["a", "frames", "frames of objects"], ["m", "centres", "centres of mass"], ["i", "inertia", "inertia ellipsoids"], ["k", "contactShapes", "contact geometry"], ["g", "floor", "reference floor"]];
  return [...list,
    { keys: ["r"], shown: "R", text: "whole scene", action: () => menus.reset() },
    { keys: ["Shift+ArrowLeft"], shown: "Shift ←", text: "turn the view to the left", action: () => stage.moveView(-turnStep, 0, 1) },
    { keys: ["Shift+ArrowRight"], shown: "Shift →", text: "turn the view to the right", action: () => stage.moveView(turnStep, 0, 1) },
    { keys: ["Shift+ArrowUp"], shown: "Shift ↑", text: "look from higher up", action: () => stage.moveView(0, turnStep, 1) },
    { keys: ["Shift+ArrowDown"], shown: "Shift ↓", text: "look from lower down", action: () => stage.moveView(0, -turnStep, 1) },
    { keys: ["PageUp"], shown: "PgUp", text: "nearer", action: () => stage.moveView(0, 0, 0.85) },
    { keys: ["PageDown"], shown: "PgDn", text: "farther away", action: () => stage.moveView(0, 0, 1 / 0.85) },
    { keys: ["f"], shown: "F", text: "follow the selected object", action: () => card.object && card.follow() },
    { keys: ["h"], shown: "H", text: "hide or show the selected object", action: () => card.object && card.hide() },
    { keys: ["Escape"], shown: "Esc", text: "close a menu, select nothing", action: () => menus.close() || stage.select(null) },
    ...toggles.filter(([, option]) => menus.boxes.has(option)).map(([key, option, text]) => ({ keys: [key], shown: key.toUpperCase(), text, action: () => menus.toggle(option) })),
  ];
}

/** The overlay with all shortcuts. */
export function buildHelp(list) {
  const dialog = element("dialog", { class: "help", "aria-label": "Keyboard shortcuts", id: "help" },
    element("header", {}, element("h2", { text: "Keys and mouse" }), element("button", { type: "button", class: "wide", text: "Close", onclick: () => dialog.close() })),
    element("dl", { class: "keys" }, [...list, { shown: "?", text: "this list" }].map(({ shown, text }) =>
      element("div", {}, element("dt", {}, element("kbd", { text: shown })), element("dd", { text })))),
    element("h3", { text: "Picture" }),
    element("p", { text: "Drag turns, right drag or Shift and drag shifts, the wheel or two fingers zoom. Click an object to select it, double-click to turn about that point." }),
    element("h3", { text: "Plots" }),
    element("p", { text: "Drag moves through time. Shift and drag, or Ctrl and wheel, zooms; a double click shows all of the run." }));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}

/** Listens to the keyboard, except where something is typed or a dialog is open. */
export function listenToKeys(list, help) {
  const actions = new Map([["?", () => help.showModal()]]);
  for (const { keys, action } of list) for (const key of keys) actions.set(key, action);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || isTyping(event)) return;
    const name = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
    const action = actions.get(name) ?? actions.get(event.key.toLowerCase());
    if (!action) return;
    event.preventDefault();
    action(event.key);
  });
}

function isTyping({ target, key }) {
  if (target.tagName === "INPUT" && (target.type === "search" || target.type === "text")) return true;
  if (target.tagName === "SELECT") return true;
  if (target.type === "range" && target.id !== "scrub") return key.startsWith("Arrow") || key === "Home" || key === "End";
  return key === " " && (target.tagName === "BUTTON" || target.tagName === "SUMMARY" || target.type === "checkbox") && target.id !== "play";
}

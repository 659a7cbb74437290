// The page of the model: parameters, source, the scene as JSON, versions.
import { element, factTable } from "./dom.js";
import { download } from "./download.js";

/** Builds the page. */
export function buildModel(run, place) {
  if (run.parameters.length > 0) {
    place.append(element("section", {}, element("h2", { text: "Parameters" }), factTable("Parameters", run.parameters.map(({ name, value }) => [name, value]))));
  }
  if (run.source) place.append(sourceSection(run.source));
  if (run.scene) place.append(sceneSection(run));
  if (run.versions.length > 0) {
    place.append(element("section", {}, element("h2", { text: "Versions" }), factTable("Versions", run.versions.map(({ name, value }) => [name, value]))));
  }
  place.append(element("p", { class: "quiet hint", text: "This page contains three.js (MIT licence, © 2010–2026 three.js authors) and uPlot (MIT licence, © Leon Sorokin)." }));
}

function saveButton(text, name) {
  return element("button", { type: "button", class: "wide", text: "Save", "aria-label": `Save ${name}`, onclick: () => download(new Blob([text], { type: "text/plain" }), name) });
}

function sourceSection({ name, text }) {
  const isLua = /\.lua$/i.test(name ?? "");
  const lines = text.replace(/\n$/, "").split("\n");
  const numbers = element("pre", { class: "lines", "aria-hidden": "true", text: lines.map((_, i) => i + 1).join("\n") });
  const code = element("pre", { class: "code" }, element("code", {}, isLua ? colourLua(text) : text));
  return element("section", {}, element("div", { class: "filter" }, element("h2", { text: name ?? "Source" }), saveButton(text, name ?? "model.txt")),
    element("div", { class: "source scroll", tabindex: 0, role: "region", "aria-label": "Source of the model" }, numbers, code));
}

function sceneSection(run) {
  const pre = element("pre", { class: "code" });
  return element("details", { class: "scene", ontoggle: () => {
    if (pre.textContent === "") pre.textContent = indented(run.scene);
  } }, element("summary", { text: "Scene as JSON" }), saveButton(run.scene, "scene.json"), element("div", { class: "source scroll", tabindex: 0 }, pre));
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const keywords = new Set("and break do else elseif end false for function goto if in local nil not or repeat return then true until while".split(" "));
const token = /(--\[\[[\s\S]*?\]\]|--[^\n]*)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\[\[[\s\S]*?\]\])|(\b\d[\w.]*(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)/g;

/** Pieces of Lua with their kinds as classes; text stays text. */
export function colourLua(text) {
  const pieces = [];
  let at = 0;
  for (const match of text.matchAll(token)) {
    const kind = match[1] ? "comment" : match[2] ? "string" : match[3] ? "digits" : keywords.has(match[4]) ? "keyword" : null;
    if (!kind) continue;
    pieces.push(text.slice(at, match.index), element("span", { class: kind, text: match[0] }));
    at = match.index + match[0].length;
  }
  return [...pieces, text.slice(at)];
}

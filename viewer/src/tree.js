// The tree of objects: paths like arm.link.tip as nested lists, with a switch for the visibility of each branch, and search.
import { element, icon, iconButton, setIcon } from "./dom.js";
import { count } from "./number_text.js";
import { matches } from "./signal_picker.js";

const openDepth = 1; // branches deeper than this start closed
const maxOpen = 60; // trees with more objects start closed

/** Nodes { name, path, object, children } of all paths; a path of which only branches are objects has no object itself. */
export function buildTree(objects) {
  const root = { name: "", path: "", object: null, children: [] };
  const nodeOf = new Map([["", root]]);
  const find = (path) => {
    if (nodeOf.has(path)) return nodeOf.get(path);
    const dot = path.lastIndexOf(".");
    const parent = dot > 0 ? find(path.slice(0, dot)) : root;
    const node = { name: dot > 0 ? path.slice(dot + 1) : path, path, object: null, children: [] };
    parent.children.push(node);
    nodeOf.set(path, node);
    return node;
  };
  for (const object of objects) find(object.path).object = object;
  return root;
}

/** All objects of a branch. */
function objectsOf(node) {
  return [node.object, ...node.children.flatMap(objectsOf)].filter(Boolean);
}

export class ObjectTree {
  constructor(run, stage) {
    this.run = run;
    this.stage = stage;
    this.root = buildTree(run.objects);
    this.rows = new Map(); // object → { row, eye }
    stage?.on("select", (object) => this.#showSelected(object));
  }

  build(place) {
    this.search = element("input", { id: "object-search", type: "search", placeholder: "Find an object", "aria-label": "Find an object", autocomplete: "off", oninput: () => this.#filter() });
    this.list = element("ul", { class: "tree" }, this.root.children.map((node) => this.#buildNode(node, 0)));
    this.note = element("p", { class: "quiet", role: "status" });
    const showAll = element("button", { type: "button", class: "wide", text: "Show all", onclick: () => this.#setHidden(this.run.objects, false) });
    place.append(element("div", { class: "filter" }, this.search, this.stage && showAll), this.list, this.note);
    this.note.textContent = count(this.run.objects.length, "object");
    this.#showSelected(this.stage?.selected ?? null);
  }

  #buildNode(node, depth) {
    const isOpen = depth < openDepth && this.run.objects.length <= maxOpen;
    const name = element("button", { type: "button", class: "name", title: node.path, disabled: !node.object, onclick: () => this.stage?.select(node.object) }, node.name);
    const eye = this.stage && iconButton("eye", `Hide ${node.path}`, () => this.#toggle(node), { class: "tool eye", "aria-pressed": "true" });
    const row = element("div", { class: "row" }, this.#buildFold(node, isOpen), name, eye);
    row.style.setProperty("--depth", depth);
    node.eye = eye;
    node.row = row;
    if (node.object) this.rows.set(node.object, node);
    node.branch = node.children.length > 0 ? element("ul", { hidden: !isOpen }, node.children.map((child) => this.#buildNode(child, depth + 1))) : null;
    node.item = element("li", {}, row, node.branch);
    return node.item;
  }

  #buildFold(node, isOpen) {
    if (node.children.length === 0) return element("span", { class: "fold" });
    node.fold = element("button", { type: "button", class: "fold", "aria-label": `Branches of ${node.path}`, "aria-expanded": String(isOpen), onclick: () => this.#setOpen(node, node.branch.hidden) }, icon("chevron"));
    return node.fold;
  }

  #setOpen(node, isOpen) {
    if (!node.branch) return;
    node.branch.hidden = !isOpen;
    node.fold.setAttribute("aria-expanded", String(isOpen));
  }

  #toggle(node) {
    const objects = objectsOf(node);
    this.#setHidden(objects, objects.some((object) => !this.stage.hidden.has(object)));
  }

  #setHidden(objects, isHidden) {
    this.stage.setHidden(objects, isHidden);
    this.refresh();
  }

  /** Shows the state of the visibility switches. */
  refresh() {
    const visit = (node) => {
      const objects = objectsOf(node);
      const isHidden = objects.length > 0 && objects.every((object) => this.stage.hidden.has(object));
      if (node.eye) {
        node.eye.setAttribute("aria-pressed", String(!isHidden));
        setIcon(node.eye, isHidden ? "eyeOff" : "eye", `${isHidden ? "Show" : "Hide"} ${node.path}`);
        node.row.classList.toggle("is-hidden", isHidden);
      }
      node.children.forEach(visit);
    };
    if (this.list && this.stage) this.root.children.forEach(visit);
  }

  /** Keeps the branches in which a name fits the search. */
  #filter() {
    const query = this.search.value.trim();
    let found = 0;
    const visit = (node) => {
      const isHit = query !== "" && matches(node.path, query);
      if (isHit && node.object) found++;
      const hasHit = node.children.map(visit).some(Boolean);
      node.item.hidden = query !== "" && !isHit && !hasHit;
      if (query !== "") this.#setOpen(node, hasHit);
      return isHit || hasHit;
    };
    this.root.children.forEach(visit);
    this.note.textContent = query === "" ? count(this.run.objects.length, "object") : count(found, "object") + " found";
  }

  #showSelected(object) {
    if (!this.list) return;
    for (const node of this.rows.values()) node.row.classList.toggle("is-selected", node.object === object);
    const node = this.rows.get(object);
    if (!node) return;
    for (let at = node.item.parentElement; at && at !== this.list; at = at.parentElement) {
      if (at.tagName === "UL") at.hidden = false;
    }
    if (node.row.offsetParent) node.row.scrollIntoView({ block: "nearest" });
  }
}

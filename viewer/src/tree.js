// The tree of a model: assemblies with their bodies, joints, forces and couplings, then what touches; with search, and a switch
// for the visibility of each branch. Rows are made when they are first seen: a model may have ten thousand bodies.
import { element, icon, iconButton, setIcon } from "./dom.js";
import { count } from "./number_text.js";
import { pairName } from "./contact_signals.js";
import { matches } from "./signal_picker.js";

const openDepth = 2; // branches deeper than this start closed
const maxOpen = 60; // trees with more objects start closed
const pageSize = 200; // rows of a branch that are shown at once
const maxHits = 300; // of a search

/**
 * Nodes { name, path, kind, object, children } of all paths. `kind` says what a node is: "body" for an object that moves and has
 * a mass or a shape, "object", "camera", "light", or the kind of a joint, force, coupling; "assembly" where only branches are.
 * `objects` are those that a click selects; `signals` begins the names of its signals.
 */
export function buildTree(run) {
  const root = { name: "", path: "", kind: "assembly", object: null, children: [] };
  const nodeOf = new Map([["", root]]);
  const find = (path) => {
    if (nodeOf.has(path)) return nodeOf.get(path);
    const dot = path.lastIndexOf(".");
    const parent = dot > 0 ? find(path.slice(0, dot)) : root;
    const node = { name: dot > 0 ? path.slice(dot + 1) : path, path, kind: "assembly", object: null, parent, children: [] };
    parent.children.push(node);
    nodeOf.set(path, node);
    return node;
  };
  for (const object of run.objects) Object.assign(find(object.path), { object, target: object, kind: objectKind(run, object) });
  for (const element of [...run.joints, ...run.forces, ...run.couplings]) {
    Object.assign(find(element.path), { kind: element.kind ?? "joint", target: run.objectOf.get(element.objectB ?? element.objectA), hasSignals: true });
  }
  addContacts(run, root);
  return root;
}

function objectKind(run, object) {
  if (object.camera) return "camera";
  if (object.light && object.shapes.length === 0) return "light";
  const isBody = run.bodies[object.body]?.poses && (object.mass > 0 || object.shapes.length > 0);
  return isBody ? "body" : "object";
}

/** A branch of the pairs that touch during the run. */
function addContacts(run, root) {
  const pairs = run.contacts?.pairs ?? [];
  if (pairs.length === 0) return;
  const branch = { name: "Contacts", path: "Contacts", kind: count(pairs.length, "pair"), object: null, parent: root, children: [] };
  branch.children = pairs.map((pair, i) => {
    const name = pairName(pairs, i);
    return { name, path: name, kind: "contact", object: null, target: run.objectOf.get(pair[1]), hasSignals: true, parent: branch, children: [] };
  });
  root.children.push(branch);
}

/** All objects of a branch. */
function objectsOf(node) {
  return [node.object, ...node.children.flatMap(objectsOf)].filter(Boolean);
}

export class ObjectTree {
  constructor(run, stage, board) {
    this.run = run;
    this.stage = stage;
    this.board = board;
    stage?.on("select", (object) => this.#showSelected(object));
  }

  #read() {
    const { run } = this;
    this.root = buildTree(run);
    this.nodeOf = new Map(); // object → node
    const visit = (node, depth) => {
      node.isOpen = depth <= openDepth && run.objects.length <= maxOpen && node.kind !== "contact" && node.path !== "Contacts";
      if (node.object) this.nodeOf.set(node.object, node);
      node.children.forEach((child) => visit(child, depth + 1));
    };
    visit(this.root, 0);
  }

  build(place) {
    this.#read();
    this.search = element("input", { id: "object-search", type: "search", placeholder: "Find a body, joint, force, contact", "aria-label": "Find an object", autocomplete: "off", oninput: () => this.#fill() });
    this.list = element("ul", { class: "tree" });
    this.note = element("p", { class: "quiet", role: "status" });
    const showAll = element("button", { type: "button", class: "wide", text: "Show all", onclick: () => this.#setHidden(this.run.objects, false) });
    place.append(element("div", { class: "filter" }, this.search, this.stage && showAll), this.list, this.note);
    this.#fill();
    this.#showSelected(this.stage?.selected ?? null);
  }

  /** Makes the rows anew: all, or those that a search finds with what they are in. */
  #fill() {
    const query = this.search.value.trim();
    this.found = query === "" ? null : this.#find(query);
    if (this.found === null) this.#open(this.nodeOf.get(this.stage?.selected));
    this.shown = []; // nodes with rows
    this.list.replaceChildren(...this.#buildRows(this.root, 0));
    this.refresh();
    this.#markSelected(this.stage?.selected ?? null);
    const { run } = this, hits = this.hitCount;
    this.note.textContent = this.found === null
      ? [count(run.objects.length, "object"), run.joints.length > 0 && count(run.joints.length, "joint"), run.forces.length > 0 && count(run.forces.length, "force")].filter(Boolean).join(", ")
      : hits > maxHits ? `the first ${maxHits} of ${hits.toLocaleString("en")} found: type to narrow down` : `${hits.toLocaleString("en")} found`;
  }

  /** The nodes whose path fits, and all above them. */
  #find(query) {
    const found = new Set();
    this.hitCount = 0;
    const visit = (node) => {
      if (node.path !== "" && matches(`${node.path} ${node.kind}`, query) && ++this.hitCount <= maxHits) {
        for (let at = node; at; at = at.parent) found.add(at);
      }
      node.children.forEach(visit);
    };
    visit(this.root);
    return found;
  }

  #buildRows(node, depth, limit = pageSize) {
    const children = this.found ? node.children.filter((child) => this.found.has(child)) : node.children;
    const items = children.slice(0, limit).map((child) => this.#buildNode(child, depth));
    const rest = children.length - limit;
    if (rest > 0) {
      const more = element("button", { type: "button", class: "wide", text: `${rest.toLocaleString("en")} more`, onclick: () => {
        const at = item.previousElementSibling;
        const rows = this.#buildRows({ ...node, children: children.slice(limit) }, depth);
        item.replaceWith(...rows);
        this.refresh();
        at?.nextElementSibling?.querySelector("button")?.focus();
      } });
      const item = element("li", {}, more);
      items.push(item);
    }
    return items;
  }

  #buildNode(node, depth) {
    const isOpen = this.found ? node.children.some((child) => this.found.has(child)) : node.isOpen;
    const hasRows = this.found ? isOpen : node.children.length > 0;
    const name = element("button", { type: "button", class: "name", title: node.path, disabled: !node.target, onclick: () => this.stage?.select(node.target) }, node.name);
    const eye = this.stage && (node.object || node.children.some((child) => child.object)) && iconButton("eye", `Hide ${node.path}`, () => this.#toggle(node), { class: "tool eye", "aria-pressed": "true" });
    const plot = node.hasSignals && this.#signalsOf(node).length > 0 && iconButton("plot", `Plot ${node.path}`, () => this.board.addPlot(this.#signalsOf(node)), { class: "tool eye" });
    const kind = !["object", "assembly"].includes(node.kind) && element("span", { class: "kind", text: node.kind });
    const row = element("div", { class: "row" }, this.#buildFold(node, hasRows, isOpen, depth), name, kind, plot, eye);
    row.style.setProperty("--depth", depth);
    Object.assign(node, { row, eye: eye || null });
    this.shown.push(node);
    node.branch = hasRows ? element("ul", { hidden: !isOpen }, isOpen ? this.#buildRows(node, depth + 1) : []) : null;
    return element("li", {}, row, node.branch);
  }

  #buildFold(node, hasRows, isOpen, depth) {
    if (!hasRows) return element("span", { class: "fold" });
    node.fold = element("button", { type: "button", class: "fold", "aria-label": `Branches of ${node.path}`, "aria-expanded": String(isOpen), onclick: () => this.#setOpen(node, node.branch.hidden, depth) }, icon("chevron"));
    return node.fold;
  }

  #setOpen(node, isOpen, depth) {
    node.isOpen = isOpen;
    node.branch.hidden = !isOpen;
    node.fold.setAttribute("aria-expanded", String(isOpen));
    if (isOpen && node.branch.childElementCount === 0) {
      node.branch.append(...this.#buildRows(node, depth + 1));
      this.refresh();
      this.#markSelected(this.stage?.selected ?? null);
    }
  }

  /** Signals of a joint, force, coupling or contact, as many as make a plot. */
  #signalsOf(node) {
    const prefix = node.path + ".";
    return this.run.variables.filter(({ name }) => name.startsWith(prefix) && !name.slice(prefix.length).includes(".")).slice(0, 3);
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
    if (!this.list || !this.stage) return;
    for (const node of this.shown) {
      if (!node.eye) continue;
      const objects = objectsOf(node);
      const isHidden = objects.every((object) => this.stage.hidden.has(object));
      node.eye.setAttribute("aria-pressed", String(!isHidden));
      setIcon(node.eye, isHidden ? "eyeOff" : "eye", `${isHidden ? "Show" : "Hide"} ${node.path}`);
      node.row.classList.toggle("is-hidden", isHidden);
    }
  }

  #markSelected(object) {
    for (const node of this.shown) node.row.classList.toggle("is-selected", object !== null && node.object === object);
  }

  /** Opens all that a node is in; false where it was open. */
  #open(node) {
    let wasClosed = false;
    for (let at = node?.parent; at && at !== this.root; at = at.parent) {
      wasClosed ||= !at.isOpen;
      at.isOpen = true;
    }
    return wasClosed;
  }

  #showSelected(object) {
    if (!this.list) return;
    const node = this.nodeOf.get(object);
    if (!this.found && this.#open(node)) this.#fill();
    this.#markSelected(object);
    if (node?.row?.offsetParent) node.row.scrollIntoView({ block: "nearest" });
  }
}

// The page of contacts and events: contacts by pairs of objects, each with the list of its own; tables that can be searched and
// sorted; a click goes to the time.
import { measuresAt, nearestRow } from "./contact_view.js";
import { pairName } from "./contact_signals.js";
import { element, icon, iconButton } from "./dom.js";
import { LongTable, cutText } from "./long_table.js";
import { count, formatNumber, formatPressure } from "./number_text.js";

const ownPage = 50; // contacts of a pair that are shown at once
const presentLimit = 12; // contacts that are listed at a time

const end = (contact) => (contact.end === null || contact.end === undefined ? null : contact.end);
const sum = (list, value) => list.reduce((total, contact) => total + (value(contact) ?? 0), 0);
const most = (list, value) => list.reduce((largest, contact) => Math.max(largest, value(contact) ?? 0), 0);

/** What happens between two objects, as one line. */
function summarize(pair, list, stopTime) {
  return { pair, list, first: list[0].begin, isLasting: list.some((contact) => end(contact) === null),
    time: sum(list, (contact) => (end(contact) ?? stopTime) - contact.begin),
    approach: most(list, ({ approach }) => approach), force: most(list, ({ maxForce }) => maxForce), depth: most(list, ({ maxDepth }) => maxDepth),
    loss: sum(list, ({ dissipation }) => dissipation) };
}

function groupByPair(run) {
  const groups = new Map();
  for (const contact of run.contactList) {
    if (!groups.has(contact.pair)) groups.set(contact.pair, []);
    groups.get(contact.pair).push(contact);
  }
  return [...groups].map(([pair, list]) => summarize(pair, list.sort((a, b) => a.begin - b.begin), run.stopTime));
}

/** Pairs of objects, each of which opens the list of its contacts. */
class GroupTable extends LongTable {
  constructor(run, board, go) {
    const has = (name) => run.contactList.some((contact) => contact[name] !== undefined);
    super("Contacts", [
      { name: "Objects", value: ({ pair }) => pairName(run.contacts?.pairs ?? [], pair) },
      { name: "Times", value: ({ list }) => list.length, isNumber: true },
      { name: "Time [s]", value: ({ time }) => time, isNumber: true },
      { name: "Speed [m/s]", value: ({ approach }) => approach, isNumber: true },
      has("maxForce") && { name: "Force [N]", value: ({ force }) => force, isNumber: true },
      has("maxDepth") && { name: "Depth [m]", value: ({ depth }) => depth, isNumber: true },
      has("dissipation") && { name: "Losses [J]", value: ({ loss }) => loss, isNumber: true },
    ].filter(Boolean), groupByPair(run), 0, () => {}, { run, board, go });
    this.node.id = "contact-groups";
  }

  noteText(found) {
    const { run } = this.extra;
    const contacts = sum(found, ({ list }) => list.length);
    return `${count(found.length, "pair")}, ${count(contacts, "contact")}` + cutText(run.contactList.length, run.contactCount);
  }

  buildRow(group) {
    const { board, run } = this.extra;
    const own = element("tr", { class: "own", hidden: true }, element("td", { colspan: this.columns.length }));
    const fold = element("button", { type: "button", class: "fold", "aria-label": `Contacts of ${this.columns[0].value(group)}`, "aria-expanded": "false", onclick: () => {
      if (own.hidden && own.firstChild.childElementCount === 0) own.firstChild.append(this.#buildOwn(group));
      own.hidden = !own.hidden;
      fold.setAttribute("aria-expanded", String(!own.hidden));
    } }, icon("chevron"));
    const signals = run.variables.filter(({ isContact, pair }) => isContact && pair === group.pair);
    const plot = signals.length > 0 && iconButton("plot", "Force, depth and losses over time", () => {
      board.addPlot(signals.slice(0, 2));
      board.addPlot(signals.slice(2));
    });
    const cells = this.columns.map(({ value, isNumber }, i) => element("td", { class: isNumber ? "number" : undefined },
      i > 0 ? formatNumber(value(group), 3) : element("div", { class: "group-name" }, fold, element("span", { text: value(group) }), plot)));
    return [element("tr", { class: "group" }, cells), own];
  }

  /** The contacts of one pair. */
  #buildOwn({ pair, list }) {
    const { run, go } = this.extra;
    const columns = [
      ["Begin [s]", ({ begin }) => begin], ["Lasts [s]", (contact) => (end(contact) === null ? null : end(contact) - contact.begin)],
      ["Approach [m/s]", ({ approach }) => approach], ["Separation [m/s]", ({ separation }) => separation], ["Restitution", ({ restitution }) => restitution],
      ["Max. force [N]", ({ maxForce }) => maxForce], ["Slipped [m]", ({ slipPath }) => slipPath], ["Losses [J]", ({ dissipation }) => dissipation],
    ].filter(([, value]) => list.some((contact) => value(contact) !== undefined));
    const body = element("tbody"), more = element("button", { type: "button", class: "wide" });
    const fill = () => {
      const first = body.childElementCount;
      body.append(...list.slice(first, first + ownPage).map((contact) => element("tr", {}, columns.map(([, value], i) => element("td", { class: "number" },
        i > 0 ? formatNumber(value(contact), 4) : element("button", { type: "button", class: "link", text: formatNumber(contact.begin, 5), title: "Go to this time", onclick: () => go(contact.begin, run.contacts?.pairs[pair]?.[1]) }))))));
      const rest = list.length - body.childElementCount;
      more.hidden = rest === 0;
      more.textContent = `${rest.toLocaleString("en")} more`;
    };
    more.addEventListener("click", fill);
    fill();
    return element("div", { class: "scroll" }, element("table", { class: "long" },
      element("thead", {}, element("tr", {}, columns.map(([text]) => element("th", { scope: "col", class: "number", text })))), body), more);
  }
}

/** What touches at the time that is shown: forces, areas, pressures. */
class PresentTable {
  constructor(run, clock, name) {
    this.run = run;
    this.name = name;
    this.body = element("tbody");
    const hasAreas = run.live || run.contacts.measures?.some((x) => x > 0); // points have neither area nor pressure
    const heads = ["Objects", "Force [N]", "Depth [m]", ...(hasAreas ? ["Area [m²]", "Mean pressure", "Max. pressure"] : [])];
    this.columnCount = heads.length - 1;
    this.note = element("p", { class: "quiet", role: "status" });
    this.node = element("section", { id: "present-contacts" }, element("h2", { text: "At this time" }),
      element("div", { class: "scroll" }, element("table", { class: "long" }, element("thead", {}, element("tr", {},
        heads.map((text, i) => element("th", { scope: "col", class: i > 0 ? "number" : undefined, text })))), this.body)), this.note);
    clock.on("time", (time) => this.#fill(time));
    this.#fill(clock.time);
  }

  #fill(time) {
    const row = nearestRow(this.run, time);
    if (row === this.row) return;
    this.row = row;
    const rows = measuresAt(this.run, time).sort((a, b) => b.force - a.force);
    this.body.replaceChildren(...rows.slice(0, presentLimit).map((each) => element("tr", {}, element("td", { text: this.name(each) }),
      [formatNumber(each.force), formatNumber(each.depth, 3), formatNumber(each.area, 3), formatPressure(each.mean), formatPressure(each.most)]
        .slice(0, this.columnCount).map((text) => element("td", { class: "number", text })))));
    this.note.textContent = rows.length > presentLimit ? `the ${presentLimit} largest of ${rows.length}` : rows.length === 0 ? "Nothing touches." : "";
  }
}

/** Builds the page; `go` shows a time and an object. */
export function buildContacts(run, clock, board, go, place) {
  if (run.contacts) place.append(new PresentTable(run, clock, ({ pair }) => pairName(run.contacts.pairs, pair)).node);
  if (run.contactList.length > 0) place.append(new GroupTable(run, board, go).node);
  if (run.events.length > 0) {
    place.append(new LongTable("Events", [
      { name: "Time [s]", value: (row) => row.time, isNumber: true },
      { name: "Kind", value: (row) => row.kind ?? "" },
      { name: "What", value: (row) => row.text ?? "" },
    ], run.events, run.eventCount, (row) => go(row.time)).node);
  }
  if (place.childElementCount === 0) place.append(element("p", { class: "quiet", text: "Nothing touched and no event happened in this run." }));
}

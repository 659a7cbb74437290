// The page of contacts and events: tables that can be searched and sorted; a click goes to the time.
import { measuresAt, nearestRow } from "./contact_view.js";
import { element } from "./dom.js";
import { count, formatNumber, formatPressure } from "./number_text.js";
import { matches } from "./signal_picker.js";

const pageSize = 200;
const presentLimit = 12; // contacts that are listed at a time

/** A table of rows that is sorted by clicks on its headers, searched, and shown piece by piece. */
class LongTable {
  /** columns: { name, value: (row) => text or number, isNumber }; total: how many there were, of which the rows are the first. */
  constructor(caption, columns, rows, total, onchoose) {
    Object.assign(this, { columns, rows, total, onchoose, caption });
    this.limit = pageSize;
    this.order = { column: 0, isRising: true };
    this.search = element("input", { type: "search", placeholder: `Find in ${caption.toLowerCase()}`, "aria-label": `Find in ${caption.toLowerCase()}`, autocomplete: "off", oninput: () => this.#fill() });
    this.body = element("tbody");
    this.heads = columns.map((column, i) => element("th", { scope: "col", class: column.isNumber ? "number" : undefined },
      element("button", { type: "button", text: column.name, onclick: () => this.#sort(i) })));
    this.note = element("p", { class: "quiet", role: "status" });
    this.more = element("button", { type: "button", class: "wide", text: "Show more", onclick: () => {
      this.limit += pageSize;
      this.#fill();
    } });
    this.node = element("section", {}, element("div", { class: "filter" }, element("h2", { text: caption }), this.search),
      element("div", { class: "scroll" }, element("table", { class: "long" }, element("caption", { class: "unseen", text: caption }),
        element("thead", {}, element("tr", {}, this.heads)), this.body)), this.more, this.note);
    this.#fill();
  }

  #sort(column) {
    this.order = { column, isRising: this.order.column === column ? !this.order.isRising : true };
    this.#fill();
  }

  #fill() {
    const { column, isRising } = this.order;
    const key = this.columns[column].value, sign = isRising ? 1 : -1;
    const texts = this.columns.filter((other) => !other.isNumber);
    const query = this.search.value.trim();
    const found = query === "" ? [...this.rows] : this.rows.filter((row) => matches(texts.map((other) => other.value(row)).join(" "), query));
    found.sort((a, b) => sign * compare(key(a), key(b)));
    this.heads.forEach((head, i) => head.setAttribute("aria-sort", i === column ? (isRising ? "ascending" : "descending") : "none"));
    this.body.replaceChildren(...found.slice(0, this.limit).map((row) => this.#buildRow(row)));
    this.more.hidden = found.length <= this.limit;
    const isCut = this.total > this.rows.length;
    const cut = isCut ? `; the report has the first ${this.rows.length.toLocaleString("en")} of ${this.total.toLocaleString("en")}, result.h5 has all` : "";
    this.note.textContent = count(found.length, "row") + cut;
  }

  #buildRow(row) {
    const cells = this.columns.map(({ value, isNumber }, i) => {
      const content = isNumber ? formatNumber(value(row), 5) : value(row);
      return element("td", { class: isNumber ? "number" : undefined },
        i === 0 ? element("button", { type: "button", class: "link", text: content, title: "Go to this time", onclick: () => this.onchoose(row) }) : content);
    });
    return element("tr", {}, cells);
  }
}

function compare(a, b) {
  const isEmpty = (x) => x === null || x === undefined || Number.isNaN(x);
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) - isEmpty(b);
  return typeof a === "string" ? a.localeCompare(b) : a - b;
}

/** What touches at the time that is shown: forces, areas, pressures. */
class PresentTable {
  constructor(run, clock, name) {
    this.run = run;
    this.name = name;
    this.body = element("tbody");
    const heads = ["Objects", "Force [N]", "Depth [m]", "Area [m²]", "Mean pressure", "Max. pressure"];
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
        .map((text) => element("td", { class: "number", text })))));
    this.note.textContent = rows.length > presentLimit ? `the ${presentLimit} largest of ${rows.length}` : rows.length === 0 ? "Nothing touches." : "";
  }
}

/** Builds the page; `go` shows a time and an object. */
export function buildContacts(run, clock, go, place) {
  const pairs = run.contacts?.pairs ?? [];
  const name = (row) => (pairs[row.pair] ?? [`pair ${row.pair}`]).join(" – ");
  if (run.contacts) place.append(new PresentTable(run, clock, name).node);
  if (run.contactList.length > 0) {
    place.append(new LongTable("Contacts", [
      { name: "Begin [s]", value: (row) => row.begin, isNumber: true },
      { name: "Objects", value: name },
      { name: "Lasts [s]", value: (row) => (row.end === null || row.end === undefined ? null : row.end - row.begin), isNumber: true },
      { name: "Approach [m/s]", value: (row) => row.approach, isNumber: true },
      { name: "Separation [m/s]", value: (row) => row.separation, isNumber: true },
      { name: "Restitution", value: (row) => row.restitution, isNumber: true },
      { name: "Max. force [N]", value: (row) => row.maxForce, isNumber: true },
      { name: "Slipped [m]", value: (row) => row.slipPath, isNumber: true },
    ].filter((column) => run.contactList.some((row) => column.value(row) !== undefined)), run.contactList, run.contactCount, (row) => go(row.begin, pairs[row.pair]?.[1])).node);
  }
  if (run.events.length > 0) {
    place.append(new LongTable("Events", [
      { name: "Time [s]", value: (row) => row.time, isNumber: true },
      { name: "Kind", value: (row) => row.kind ?? "" },
      { name: "What", value: (row) => row.text ?? "" },
    ], run.events, run.eventCount, (row) => go(row.time)).node);
  }
  if (place.childElementCount === 0) place.append(element("p", { class: "quiet", text: "Nothing touched and no event happened in this run." }));
}

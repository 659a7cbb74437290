// Long tables: sorted by clicks on their headers, searched, and shown piece by piece.
import { element } from "./dom.js";
import { count, formatNumber } from "./number_text.js";
import { matches } from "./signal_picker.js";

const pageSize = 200;

/** A table of rows that is sorted by clicks on its headers, searched, and shown piece by piece. */
export class LongTable {
  /** columns: { name, value: (row) => text or number, isNumber }; total: how many there were, of which the rows are the first. */
  constructor(caption, columns, rows, total, onchoose, extra = {}) {
    Object.assign(this, { columns, rows, total, onchoose, caption, extra });
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
    this.body.replaceChildren(...found.slice(0, this.limit).flatMap((row) => this.buildRow(row)));
    this.more.hidden = found.length <= this.limit;
    this.note.textContent = this.noteText(found);
  }

  /** What is said below the rows. */
  noteText(found) {
    return count(found.length, "row") + cutText(this.rows.length, this.total);
  }

  /** The row, or rows, of an entry. */
  buildRow(row) {
    const cells = this.columns.map(({ value, isNumber }, i) => {
      const content = isNumber ? formatNumber(value(row), 5) : value(row);
      return element("td", { class: isNumber ? "number" : undefined },
        i === 0 ? element("button", { type: "button", class: "link", text: content, title: "Go to this time", onclick: () => this.onchoose(row) }) : content);
    });
    return element("tr", {}, cells);
  }
}

/** What is said of a list of which the report has the first entries only. */
export function cutText(shown, total) {
  return total > shown ? `; the report has the first ${shown.toLocaleString("en")} of ${total.toLocaleString("en")}, result.h5 has all` : "";
}

function compare(a, b) {
  const isEmpty = (x) => x === null || x === undefined || Number.isNaN(x);
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) - isEmpty(b);
  return typeof a === "string" ? a.localeCompare(b) : a - b;
}

// The picker of signals: a dialog that finds them by parts of their names.
import { element, nameText } from "./dom.js";
import { shownUnit } from "./number_text.js";

const maxShown = 300;

/** Does a name contain all words of a query, in any case? `*` stands for anything. */
export function matches(name, query) {
  const low = name.toLowerCase();
  return query.toLowerCase().split(/\s+/).filter(Boolean).every((word) => {
    let at = 0;
    return word.split("*").every((piece) => {
      const found = low.indexOf(piece, at);
      at = found + piece.length;
      return found >= 0;
    });
  });
}

export class SignalPicker {
  constructor(run, board) {
    this.run = run;
    this.board = board;
    this.search = element("input", { id: "signal-search", type: "search", placeholder: "Find a signal: cue position, *.energy …", "aria-label": "Find a signal", oninput: () => this.#list(), autocomplete: "off" });
    this.items = element("ul", { class: "signals" });
    this.note = element("p", { class: "quiet", role: "status" });
    this.dialog = element("dialog", { class: "picker", "aria-label": "Signals" },
      element("header", {}, this.search, element("button", { type: "button", class: "wide", text: "Done", onclick: () => this.dialog.close() })),
      this.items, this.note);
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    document.body.append(this.dialog);
  }

  open(query = "") {
    this.search.value = query;
    this.#list();
    this.dialog.showModal();
    this.search.focus();
  }

  #list() {
    const found = this.run.variables.filter((variable) => matches(`${variable.name} ${variable.unit ?? ""}`, this.search.value));
    this.items.replaceChildren(...found.slice(0, maxShown).map((variable) => signalRow(variable, this.board, variable.name, this.board.active)));
    const more = found.length - maxShown;
    this.note.textContent = found.length === 0 ? "No signal has such a name." : more > 0 ? `and ${more.toLocaleString("en")} more: type to narrow down` : "";
  }
}

/** A line with a check box that shows a signal in a plot, or in any where none is given. */
export function signalRow(variable, board, label = variable.name, plot = null) {
  const isShown = () => (plot ? plot.variables.includes(variable) : board.shows(variable));
  const box = element("input", { type: "checkbox", onchange: () => {
    if (box.checked === isShown()) return;
    if (!plot) board.toggle(variable);
    else if (!box.checked) plot.drop(variable);
    else if (!plot.add(variable)) board.addPlot([variable]); // of a third unit
  } });
  box.checked = isShown();
  return element("li", {}, element("label", { title: variable.description || variable.name }, box,
    nameText(label, { class: "signal" }), element("span", { class: "value" }), element("span", { class: "unit quiet", text: shownUnit(variable.unit) })));
}

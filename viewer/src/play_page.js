// The page of the panel on which a model is played with: parameters, inputs, and what can be saved.
import { element } from "./dom.js";
import { Control, isWholeIn } from "./controls.js";
import { download } from "./download.js";

export class Controls {
  #names = ""; // of the controls that are shown

  constructor(page) {
    this.page = page;
    this.parameters = element("div", { class: "controls" });
    this.inputs = element("div", { class: "controls" });
    this.list = [];
  }

  build(place) {
    const { page } = this;
    this.none = element("p", { class: "quiet", text: "The model declares no parameters: parameters{ … } in its source does." });
    this.resetButton = element("button", { type: "button", class: "wide", id: "reset", text: "Reset", onclick: () => this.#reset() });
    this.inputSection = element("section", { hidden: true }, element("h2", { text: "Inputs" }), this.inputs,
      element("p", { class: "quiet hint", text: "Inputs act while the model is touched: “Touch it” below the picture." }));
    const save = (id, text, title, action) => element("button", { type: "button", class: "wide", id, text, title, onclick: action });
    this.sessionButton = save("save-session", "What was done", "The list of inputs of the last session: carom run MODEL --session FILE gives the same rows", () => page.live.save());
    this.sessionButton.disabled = !page.live?.record;
    place.append(
      element("section", {}, element("div", { class: "filter" }, element("h2", { text: "Parameters" }), this.resetButton), this.none, this.parameters),
      this.inputSection,
      element("section", {}, element("h2", { text: "Save" }), element("div", { class: "buttons-row" },
        save("save-csv", "Result as CSV", "All rows of the last run, with all digits", () => this.#saveRows()),
        save("save-page", "Report", "This page with the last run in it: it opens with it, and simulates", async () => page.result && this.saveText(await page.pageText(), `${page.model.title}.html`, "text/html")),
        save("save-model", "Model", "The source as it is now", () => this.saveText(page.source, page.model.path.split("/").pop(), "text/plain")),
        this.sessionButton)),
      element("p", { class: "quiet hint", text: "Everything runs in this page: nothing is sent anywhere, and it works without a network." }));
    this.#showNone();
  }

  #showNone() {
    if (!this.none) return;
    this.none.hidden = this.list.length > 0;
    this.resetButton.hidden = this.list.length === 0;
    this.inputSection.hidden = this.inputs.childElementCount === 0;
  }

  /** Shows what the model declares. Controls stay as they are while their names do. */
  setModel({ parameters, inputs }) {
    const names = JSON.stringify([parameters.map(({ name, value }) => [name, typeof value]), inputs.map(({ path }) => path)]);
    const isSame = names === this.#names;
    this.#names = names;
    if (isSame) {
      for (const { name, value } of parameters) this.#follow(name, value);
      return;
    }
    const given = this.page.settings;
    this.list = parameters.filter(({ value }) => value !== null).map((parameter) => new Control({ ...parameter, isWhole: isWholeIn(this.page.source, parameter.name) }, (name, text) => this.page.setParameter(name, text)));
    for (const name of given.keys()) if (!this.list.some((control) => control.name === name)) given.delete(name);
    this.parameters.replaceChildren(...this.list.map(({ node }) => node));
    this.inputList = inputs.map(({ path, unit, start, nominal }) =>
      new Control({ name: path, unit, value: start, min: start - (nominal || 1) * 2, max: start + (nominal || 1) * 2 }, (name, text) => this.page.live.setInput(name, Number(text))));
    this.inputs.replaceChildren(...this.inputList.map(({ node }) => node));
    this.#showNone();
  }

  /** The default has changed in the source. */
  #follow(name, value) {
    const control = this.list.find((each) => each.name === name);
    if (!control || this.page.settings.has(name) || control.text === String(value)) return;
    control.first = String(value);
    control.show(String(value));
  }

  #reset() {
    for (const control of this.list) control.reset();
    this.page.forgetParameters();
  }

  #saveRows() {
    const { page } = this;
    if (page.run) page.simulator.ask({ kind: "csv", ...page.request });
  }

  saveText(text, name, type) {
    download(new Blob([text], { type }), name);
  }
}

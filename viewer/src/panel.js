// The panel beside the picture: pages behind tabs. A page is built when it is first shown.
import { element } from "./dom.js";

export class Panel {
  constructor(place, pages) {
    this.pages = pages.filter(Boolean); // { id, name, build: (place) => void }
    this.tabs = this.pages.map((page, i) => element("button", {
      type: "button", role: "tab", id: `tab-${page.id}`, "aria-controls": `page-${page.id}`,
      onclick: () => this.show(page.id), onkeydown: (event) => this.#moveFocus(event, i),
    }, page.name, page.badge ? element("span", { class: "badge", text: page.badge }) : null));
    this.places = this.pages.map((page) => element("div", {
      class: `page page-${page.id}`, role: "tabpanel", id: `page-${page.id}`, "aria-labelledby": `tab-${page.id}`, tabindex: 0,
    }));
    place.append(element("div", { class: "tabs", role: "tablist", "aria-label": "Pages" }, this.tabs), ...this.places);
    this.show(this.pages[0].id);
  }

  /** Brings a page to the front. */
  show(id) {
    this.pages.forEach((page, i) => {
      const isShown = page.id === id;
      this.tabs[i].setAttribute("aria-selected", String(isShown));
      this.tabs[i].tabIndex = isShown ? 0 : -1;
      this.places[i].hidden = !isShown;
      if (isShown && !page.isBuilt) {
        page.isBuilt = true;
        page.build(this.places[i]);
      }
    });
    this.shown = id;
  }

  /** Builds pages anew that tell of a run as it was, now that it is another. */
  renew() {
    this.pages.forEach((page, i) => {
      if (!page.isBuilt || !page.isOfRun) return;
      this.places[i].replaceChildren();
      page.isBuilt = false;
    });
    this.show(this.shown);
  }

  #moveFocus(event, i) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (i + step + this.pages.length) % this.pages.length;
    this.show(this.pages[next].id);
    this.tabs[next].focus();
  }
}

/** Lets the border between picture and panel be dragged, or moved by the arrow keys. */
export function makeDivider(divider, work) {
  const setShare = (share) => {
    work.style.setProperty("--panel", `${(100 * Math.max(0.18, Math.min(0.75, share))).toFixed(2)}%`);
    divider.setAttribute("aria-valuenow", Math.round(100 * share));
  };
  const share = () => 1 - divider.getBoundingClientRect().left / work.clientWidth;
  divider.addEventListener("pointerdown", (event) => {
    divider.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  divider.addEventListener("pointermove", (event) => {
    if (divider.hasPointerCapture(event.pointerId)) setShare(1 - event.clientX / work.clientWidth);
  });
  divider.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: 0.03, ArrowRight: -0.03 }[event.key];
    if (!step) return;
    event.stopPropagation();
    setShare(share() + step);
  });
}

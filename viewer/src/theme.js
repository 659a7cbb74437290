// The theme: light or dark, as the system says until someone chooses; the choice is kept where the browser lets us.
import { iconButton, setIcon } from "./dom.js";
import { Emitter } from "./emitter.js";

const storageName = "carom-theme";

/** Emits "change" with true for dark. */
export class Theme extends Emitter {
  constructor(given) {
    super();
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    this.isDark = given ? given === "dark" : (stored() ?? (system.matches ? "dark" : "light")) === "dark";
    system.addEventListener("change", () => {
      if (!given && !stored()) this.#set(system.matches);
    });
    document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
  }

  toggle() {
    this.#set(!this.isDark);
    try {
      localStorage.setItem(storageName, this.isDark ? "dark" : "light");
    } catch {
      // private windows and some file: pages have no storage; the choice then lasts as long as the page
    }
  }

  #set(isDark) {
    this.isDark = isDark;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    this.emit("change", isDark);
  }

  button() {
    const label = () => (this.isDark ? "Light theme" : "Dark theme");
    const button = iconButton(this.isDark ? "sun" : "moon", label(), () => this.toggle(), { id: "theme" });
    this.on("change", () => setIcon(button, this.isDark ? "sun" : "moon", label()));
    return button;
  }
}

function stored() {
  try {
    return localStorage.getItem(storageName);
  } catch {
    return null;
  }
}

/** The value of a colour of the style sheet. */
export function cssColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

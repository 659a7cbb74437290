// Elements of the page. All text goes in as text nodes or attributes, never as HTML: names in a model may be hostile.

/**
 * A new element. Properties: `class`, `text`, `on…` handlers, `data` (an object), anything else is an attribute
 * (true: empty, false and undefined: left out). Children are nodes, strings, or empty values, which are left out.
 */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) setProperty(node, name, value);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function setProperty(node, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name === "class") node.className = value;
  else if (name === "text") node.textContent = value;
  else if (name === "data") Object.assign(node.dataset, value);
  else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else node.setAttribute(name, value === true ? "" : value);
}

/** The element of the page with this id. */
export function byId(id) {
  return document.getElementById(id);
}

const endLength = 22; // characters of a long name that are never cut off

/** A name that gives way in its middle where there is no room: the end of a path says more than its begin. */
export function nameText(name, properties = {}) {
  const letters = Array.from(name);
  const cut = letters.length > endLength + 4 ? letters.length - endLength : 0;
  const dot = letters.lastIndexOf(".", letters.length - 6);
  const at = cut > 0 && dot > cut ? dot : cut;
  return element("span", { ...properties, class: `long-name ${properties.class ?? ""}`, title: properties.title ?? name },
    at > 0 && element("span", { class: "name-head", text: letters.slice(0, at).join("") }),
    element("span", { class: "name-end", text: letters.slice(at).join("") }));
}

const icons = {
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z",
  stepBack: "M16.5 5v14L8 12zM5.5 5h2v14h-2z",
  stepForward: "M7.5 5v14l8.5-7zM16.500 5h2v14h-2z",
  eventBack: "M20 5v14l-7-7zM12.500 5v14l-7-7zM3 5h2v14H3z",
  eventForward: "M4 5v14l7-7zM11.500 5v14l7-7zM19 5h2v14h-2z",
  loop: "M7 7h10v3l4-4-4-4v3H5v6h2zM17 17H7v-3l-4 4 4 4v-3h12v-6h-2z",
  eye: "M12 5C7 5 3.200 8.500 1.500 12 3.200 15.500 7 19 12 19s8.800-3.500 10.500-7C20.800 8.500 17 5 12 5zm0 11a4 4 0 1 1 0-8 4 4 0 0 1 0 8z",
  eyeOff: "M2.400 3.800 20.200 21.600l1.400-1.400L3.800 2.400zM12 5c-1.500 0-2.800.3-4 .8l2.300 2.300A4 4 0 0 1 15.900 13.700l3 3c1.600-1.300 2.800-3 3.600-4.700C20.800 8.500 17 5 12 5zM5 7.900C3.500 9 2.300 10.500 1.500 12 3.200 15.500 7 19 12 19c1.300 0 2.500-.2 3.600-.6l-2.600-2.600A4 4 0 0 1 8.200 11z",
  close: "M6.400 5 5 6.400 10.600 12 5 17.600 6.400 19 12 13.400 17.600 19 19 17.600 13.400 12 19 6.400 17.600 5 12 10.600z",
  plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  minus: "M5 11h14v2H5z",
  sun: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM3.500 4.900l1.400-1.400 2.800 2.800-1.400 1.400zM16.300 17.700l1.400-1.400 2.800 2.800-1.400 1.400zM3.500 19.100l2.800-2.800 1.400 1.400-2.800 2.800zM16.300 6.300l2.800-2.800 1.400 1.400-2.800 2.800z",
  moon: "M20.500 14.500A9 9 0 0 1 9.500 3.500a9 9 0 1 0 11 11z",
  help: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm1 16h-2v-2h2zm1.800-6.900-.9.900c-.7.700-.9 1.300-.9 2.500h-2v-.5c0-1 .4-2 1.100-2.700l1.200-1.200c.4-.3.6-.8.6-1.300a1.900 1.900 0 0 0-3.800 0H8.100a3.900 3.900 0 1 1 7.800 0c0 .9-.4 1.700-1.100 2.300z",
  camera: "M9 4 7.200 6H4a2 2 0 0 0-2 2v10c0 1.100.9 2 2 2h16a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-3.200L15 4zm3 13.500a4.500 4.500 0 1 1 0-9 4.500 4.500 0 0 1 0 9z",
  layers: "M12 2 2 8l10 6 10-6zM4.200 12 2 13.300l10 6 10-6L19.800 12 12 16.700z",
  home: "M12 3 2 12h3v8h5v-6h4v6h5v-8h3z",
  target: "M11 2h2v3.100A7 7 0 0 1 18.900 11H22v2h-3.100A7 7 0 0 1 13 18.900V22h-2v-3.100A7 7 0 0 1 5.100 13H2v-2h3.100A7 7 0 0 1 11 5.100zm1 5a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm0 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  download: "M11 3h2v9l3.500-3.500L18 10l-6 6-6-6 1.500-1.500L11 12zM4 18h16v2H4z",
  image: "M3 4h18v16H3zm2 2v9l4-4 4 4 3-3 3 3V6zm9 4a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3z",
  trail: "M3 19c4 0 5-3 6-7s3-7 8-7v2c-3.500 0-5 2-6 5.500S8 21 3 21zm16-16a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  ghost: "M12 3a7 7 0 0 0-7 7v11l2.500-2 2.200 2 2.300-2 2.300 2 2.200-2 2.500 2V10a7 7 0 0 0-7-7zm-2.500 6a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3zm5 0a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3z",
  zoomIn: "M10 2a8 8 0 1 0 4.900 14.300l5.400 5.400 1.400-1.400-5.400-5.400A8 8 0 0 0 10 2zm0 2a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM9 6h2v3h3v2h-3v3H9v-3H6V9h3z",
  zoomAll: "M3 3h7v2H6.400l4 4L9 10.400l-4-4V10H3zM21 21h-7v-2h3.600l-4-4 1.400-1.400 4 4V14h2z",
  chevron: "M9 6l6 6-6 6z",
  film: "M4 4h16v16H4zm2 2v2h2V6zm0 5v2h2v-2zm0 5v2h2v-2zM16 6v2h2V6zm0 5v2h2v-2zm0 5v2h2v-2zM10 6v5h4V6zm0 7v5h4v-5z",
  stop: "M6 6h12v12H6z",
  plot: "M3 3h2v16h16v2H3zM7 15l4-5 3 3 5-7 1.600 1.200L14.200 16l-3-3-2.600 3.200z",
};

/** An icon of 24 by 24 units, for the eye only. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", icons[name]);
  svg.append(path);
  return svg;
}

/** A button with an icon; its label is its accessible name and its tooltip. */
export function iconButton(name, label, onclick, properties = {}) {
  return element("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick, ...properties }, icon(name));
}

/** Exchanges the icon of a button, and its label. */
export function setIcon(button, name, label) {
  button.replaceChildren(icon(name));
  button.setAttribute("aria-label", label);
  button.title = label;
}

/** A table of names and values. */
export function factTable(caption, rows) {
  return element("table", { class: "facts" },
    element("caption", { class: "unseen", text: caption }),
    element("tbody", {}, rows.map(([name, value]) => element("tr", {},
      element("th", { scope: "row", text: name }), element("td", { text: String(value) })))));
}

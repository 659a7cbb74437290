// Search in all sections, and the menu of small screens. searchIndex: [page, anchor, title, heading, text] of each section.
"use strict";

const field = document.getElementById("search");
const found = document.getElementById("found");

// How well a section fits all words: words in headings count more; 0: one of them is missing.
function rate(section, words) {
  const heading = (section[2] + " " + section[3]).toLowerCase();
  const text = section[4].toLowerCase();
  let sum = 0;
  for (const word of words) {
    const inHeading = heading.includes(word);
    const inText = text.includes(word);
    if (!inHeading && !inText) return 0;
    sum += (inHeading ? 10 : 0) + (section[3].toLowerCase() === word ? 20 : 0) + (inText ? 1 : 0);
  }
  return sum;
}

// The text around the first word that is found.
function excerpt(text, words) {
  const at = Math.max(0, Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((i) => i >= 0), text.length));
  const start = Math.max(0, at - 60);
  return (start > 0 ? "… " : "") + text.slice(start, start + 180) + (text.length > start + 180 ? " …" : "");
}

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word.length > 0);
  found.replaceChildren();
  found.hidden = words.length === 0;
  if (found.hidden) return;
  const rated = searchIndex.map((section) => [rate(section, words), section]).filter(([sum]) => sum > 0);
  rated.sort((a, b) => b[0] - a[0]);
  for (const [, section] of rated.slice(0, 20)) {
    const link = document.createElement("a");
    link.href = section[0] + (section[1] ? "#" + section[1] : "");
    link.textContent = section[3] === section[2] ? section[2] : section[2] + ": " + section[3];
    const text = document.createElement("p");
    text.textContent = excerpt(section[4], words);
    const item = document.createElement("li");
    item.append(link, text);
    found.append(item);
  }
  if (rated.length === 0) {
    const none = document.createElement("li");
    none.textContent = "Nothing has all of these words.";
    found.append(none);
  }
}

field.addEventListener("input", search);
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    field.value = "";
    search();
  } else if (event.key === "Enter") {
    const first = found.querySelector("a");
    if (first) location.href = first.href;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  }
});
found.addEventListener("click", (event) => {
  if (event.target.closest("a")) {
    found.hidden = true;
    field.value = "";
  }
});

const menu = document.getElementById("menu");
const side = document.getElementById("side");
menu.addEventListener("click", () => {
  const isOpen = side.classList.toggle("open");
  menu.setAttribute("aria-expanded", String(isOpen));
});

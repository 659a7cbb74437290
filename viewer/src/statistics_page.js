// The page of statistics: what the solver did, and where the energy went.
import { element, factTable } from "./dom.js";
import { formatNumber } from "./number_text.js";

/** Builds the page. */
export function buildStatistics(run, place) {
  if (run.energy.length > 0) place.append(element("section", {}, element("h2", { text: "Energy balance" }), energyTable(run.energy)));
  const groups = new Map();
  for (const entry of run.statistics) {
    const group = entry.group ?? "Run";
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(entry);
  }
  const boxes = [...groups].map(([group, entries]) => element("section", {}, element("h2", { text: group }),
    factTable(group, entries.map(({ name, value }) => [name, value]))));
  place.append(element("div", { class: "columns" }, boxes));
  if (run.thinned.every > 1) place.append(element("p", { class: "notice", text: thinnedText(run) }));
  if (place.childElementCount === 0 || (boxes.length === 0 && run.energy.length === 0)) place.append(element("p", { class: "quiet", text: "No statistics were recorded." }));
}

export function thinnedText({ thinned }) {
  return `Thinned out: of ${(thinned.rows ?? 0).toLocaleString("en")} output points, one in ${thinned.every} is in this file. The result file has all of them.`;
}

/** Start, end and change of each kind of energy; the last row is what remains unexplained. */
function energyTable(rows) {
  const largest = Math.max(...rows.flatMap(({ start, end }) => [Math.abs(start ?? 0), Math.abs(end ?? 0)]), 1e-300);
  const body = rows.map((row, i) => {
    const isRest = i === rows.length - 1;
    const change = (row.end ?? 0) - (row.start ?? 0);
    const cells = [row.name, formatNumber(row.start), formatNumber(row.end), formatNumber(change)].map((text, k) =>
      element("td", { class: k > 0 ? "number" : undefined, text }));
    return element("tr", { class: isRest ? "rest" : undefined }, cells, element("td", { class: "bars" }, bar(row.start, largest, "start"), bar(row.end, largest, "end")));
  });
  const unit = rows[0].unit ?? "J";
  const heads = ["", `Start [${unit}]`, `End [${unit}]`, `Change [${unit}]`, ""];
  return element("div", { class: "scroll" }, element("table", { class: "energy" },
    element("caption", { class: "unseen", text: "Energy balance" }),
    element("thead", {}, element("tr", {}, heads.map((text, k) => element("th", { scope: "col", class: k > 0 && k < 4 ? "number" : undefined, text })))),
    element("tbody", {}, body)));
}

function bar(value, largest, kind) {
  const node = element("span", { class: `bar bar-${kind}`, "aria-hidden": "true" });
  node.style.width = `${((100 * Math.abs(value ?? 0)) / largest).toFixed(1)}%`;
  return node;
}

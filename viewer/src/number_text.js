// Numbers as text: short, of steady width, and readable.

/** A number with four significant digits: 12.35, 0.001235, 1.235e-7; "–" where there is none. */
export function formatNumber(x, digits = 4) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e6 || size < 1e-4 ? x.toExponential(digits - 2) : Number(x.toPrecision(digits)).toString();
  return text.replaceAll("-", "−");
}

/** A pressure [N/m^2] with a unit of its size: "12.3 kPa". */
export function formatPressure(x) {
  const units = [[1e9, "GPa"], [1e6, "MPa"], [1e3, "kPa"], [1, "Pa"]];
  const [size, unit] = units.find(([each]) => Math.abs(x) >= each) ?? units[3];
  return Number.isFinite(x) ? `${formatNumber(x / size, 3)} ${unit}` : "–";
}

/** Decimals that tell output points of a run from each other. */
export function timeDecimals(run) {
  const interval = (run.stopTime - run.startTime) / Math.max(1, run.rowCount - 1);
  return interval > 0 ? Math.max(1, Math.min(7, Math.ceil(-Math.log10(interval)) + 1)) : 3;
}

/** A unit behind a number; nothing for a pure number. */
export function shownUnit(unit) {
  return unit && unit !== "1" ? unit : "";
}

/** A unit in brackets for an axis; nothing for a pure number. */
export function formatUnit(unit) {
  return unit && unit !== "1" ? `[${unit}]` : "";
}

/** "1 body", "3 bodies". */
export function count(n, one, many = one + "s") {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

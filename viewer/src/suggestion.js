// Which plots a report opens with: what moves, what it costs, what touches. Never frames that ride along, never constants.

const most = 4; // signals of a plot
const sampledRows = 400;
const still = 1e-5; // [1] of the size of a signal: what changes less is a constant with rounding
const turnover = 1e-3; // [1] of all energy: where less is exchanged, rates tell more
const faint = 0.02; // [1] of the liveliest signal: what changes less is not worth a line

/** Lists of variables, one for each plot: coordinates or ways, energies or rates, forces of contacts. */
export function suggestPlots(run) {
  const groups = [coordinates(run), energies(run), contactForces(run)].filter((group) => group.length > 0);
  if (groups.length === 0) groups.push(liveliest(run.recorded));
  return groups[0].length > 0 ? groups : [];
}

/** Joint coordinates, else positions of what moves: of each of many bodies the direction in which it moves most. */
function coordinates(run) {
  const own = run.recorded.filter(({ name }) => /\.(angle|displacement|elongation)$/.test(name));
  const named = liveliest(own.filter(({ unit }) => unit === own[0].unit));
  if (named.length > 0) return named;
  const paths = movingPaths(run);
  const ways = paths.map((path) => liveliest(["x", "y", "z"].map((axis) => run.variableOf.get(`${path}.position.${axis}`)).filter(Boolean)));
  const found = liveliest(ways.flatMap((list) => (paths.length <= 2 ? list : strongest(list))));
  return found.length > 0 ? found : liveliest(run.recorded.filter(({ name }) => /position/.test(name)));
}

/** The object of each moving body that stands for it: one with a mass or a shape, not a frame. */
function movingPaths(run) {
  const best = new Map();
  for (const object of run.objects) {
    if (!run.bodies[object.body]?.poses) continue;
    const rank = (object.mass > 0 ? 2 : 0) + (object.shapes.length > 0 ? 1 : 0);
    if (rank > 0 && rank > (best.get(object.body)?.rank ?? 0)) best.set(object.body, { rank, path: object.path });
  }
  return [...best.values()].map(({ path }) => path);
}

function energies(run) {
  const all = run.recorded.filter(({ name, unit }) => unit === "J" && /^energy\./.test(name) && name !== "energy.unexplained");
  const size = all.reduce((most, { values }) => Math.max(most, Math.abs(values[0] ?? 0), Math.abs(values.at(-1) ?? 0)), 0);
  const found = liveliest(all);
  if (found.some(({ values }) => change(values) > turnover * size)) return found;
  const rates = run.recorded.filter(({ name }) => /\.(rate|speed)$|velocity/i.test(name));
  return liveliest(rates.filter(({ unit }) => unit === rates[0].unit));
}

function contactForces(run) {
  return liveliest(run.variables.filter(({ isContact, kind }) => isContact && kind.name === "force"));
}

/** The variables that change most, in their order; none that hardly changes beside them. */
function liveliest(variables) {
  const changes = new Map(variables.map((variable) => [variable, change(variable.values)]));
  const largest = variables.reduce((sum, variable) => Math.max(sum, changes.get(variable)), 0);
  const lively = variables.filter((variable) => changes.get(variable) > faint * largest);
  const chosen = new Set([...lively].sort((a, b) => changes.get(b) - changes.get(a)).slice(0, most));
  return lively.filter((variable) => chosen.has(variable));
}

/** The one that changes most, as a list. */
function strongest(variables) {
  return variables.length === 0 ? [] : [variables.reduce((best, variable) => (change(variable.values) > change(best.values) ? variable : best))];
}

/** By how much a signal changes; 0 for a constant. */
function change(values) {
  let low = Infinity, high = -Infinity;
  const step = Math.max(1, Math.floor(values.length / sampledRows)), last = values.length - 1;
  for (let i = 0; i <= last; i = i < last ? Math.min(last, i + step) : last + 1) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  return high - low > still * Math.max(Math.abs(low), Math.abs(high)) && high - low > 1e-12 ? high - low : 0;
}

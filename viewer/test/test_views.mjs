// What the page makes of a model: where it looks first, its tree, plots of contacts, x–y plots, masses, films.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { bouncing, compared, workshop } from "./fixture.mjs";
import { decodeDataUrl } from "./browser.mjs";

const near = (a, b, tol, what) => assert.ok(Math.abs(a - b) <= tol, `${what}: ${a}, expected ${b}`);
const evaluate = (page, body, argument) => page.evaluate(body, argument);
const long = "robot.base.assembly.of.many.levels.arm.link";

/** Pixels of a picture that a test of their colour accepts. */
function countPixels(picture, isHit) {
  let count = 0;
  for (let y = 0; y < picture.height; y++) for (let x = 0; x < picture.width; x++) count += isHit(...picture.at(x, y));
  return count;
}

export const tests = {
  async the_first_camera_frames_the_start_and_lets_go_what_flies_off({ open }) {
    const page = await open("workshop", workshop());
    const box = await evaluate(page, (path) => { carom.setTime(0); return carom.visibleIn(path); }, long);
    assert.ok(box.right - box.left > 0.35, `the arm takes ${box.right - box.left} of 2`); // the chip gets 40 m away
    assert.ok(box.left > -1 && box.right < 1 && box.bottom > -1 && box.top < 1, JSON.stringify(box));
    const chip = await evaluate(page, () => carom.visibleIn("chip"));
    assert.ok(chip.right < 1 && chip.left > -1, JSON.stringify(chip));
    assert.deepEqual(page.faults, []);
  },

  async cameras_of_scenes_look_no_wider_than_what_is_framed_needs({ open }) {
    const still = [0, 0, 0, 1, 0, 0, 0], level = [0, -6, 0.3, Math.SQRT1_2, Math.SQRT1_2, 0, 0]; // looks along y
    const width = async (x) => {
      const page = await open("looking", workshop(41, { objects: [
        { path: "viewer", body: 0, pose: level, camera: { fieldOfView: 0.6 } },
        { path: "plate", body: 0, pose: still, shapes: [{ kind: "box", look: 1, pose: still, size: [x, 0.2, 0.1] }] },
        { path: "arm", body: 1, pose: still, shapes: [{ kind: "box", look: 0, pose: still, size: [1.5, 0.2, 0.1] }] },
      ], joints: [], forces: [] }), { viewport: { width: 840, height: 786 } });
      const [box, aspect] = await evaluate(page, () => [carom.visibleIn("plate"), document.querySelector("#view canvas").clientWidth / document.querySelector("#view canvas").clientHeight]);
      assert.deepEqual(page.faults, []);
      return { taken: (box.right - box.left) / 2, plain: x / 2 / (5.9 * aspect * Math.tan(0.3)), aspect };
    };
    const narrow = await width(1.2), wide = await width(3);
    near(narrow.taken, narrow.plain, 1e-3, "what fits is shown as the camera says");
    assert.ok(wide.plain > 1 && wide.taken > 0.85 && wide.taken < 1, `${JSON.stringify(wide)}: what does not is shown whole, and fills the picture`);
  },

  async what_moves_without_shapes_is_shown_by_its_frames({ open }) {
    const still = [0, 0, 0, 1, 0, 0, 0];
    const page = await open("shapeless", workshop(41, { objects: [
      { path: "world", body: 0, pose: still, shapes: [{ kind: "coordinateSystem", look: 0, pose: still, length: 5 }] },
      { path: "a", body: 1, pose: still }, { path: "b", body: 1, pose: [0.4, 0, 0, 1, 0, 0, 0] },
    ], joints: [], forces: [] }));
    await page.getByLabel("What is shown").first().click();
    assert.ok(await page.isChecked("#show-frames"));
    assert.deepEqual(page.faults, []);
  },

  async force_arrows_are_as_long_as_the_bodies_are_wide({ open }) {
    const page = await open("workshop", workshop());
    const length = 20 * (await evaluate(page, () => carom.arrowScale)); // of the only force there is
    const radius = Math.hypot(0.2, 0.1, 0.05); // of the arm
    assert.ok(length > 0.2 * radius && length <= 1.8 * radius + 1e-9, `${length} m beside a body of ${radius} m`);
  },

  async the_tree_has_assemblies_joints_forces_and_contacts({ open }) {
    const page = await open("workshop", workshop());
    await page.click("#tab-objects");
    const rows = () => page.$$eval(".tree .row", (nodes) => nodes.filter((node) => node.offsetParent).map((node) => [node.querySelector(".name").title, node.querySelector(".kind")?.textContent ?? ""]));
    const kinds = new Map(await rows());
    assert.equal(kinds.get("robot.base.pivot"), "revolute");
    assert.equal(kinds.get("robot.spring"), "springDamper");
    assert.equal(kinds.get("robot.gear"), "gearPair");
    assert.equal(kinds.get("chip"), "body");
    assert.equal(kinds.get("Contacts"), "2 pairs");
    assert.ok(!kinds.has("chip – pad"), "the branch of contacts starts closed");
    await page.getByLabel("Branches of Contacts", { exact: true }).click();
    assert.equal(new Map(await rows()).get(`pad – ${long}`), "contact");
    // a search finds joints by name and by kind, and shows what they are in
    await page.fill("#object-search", "revol");
    assert.deepEqual((await rows()).map(([path]) => path), ["robot", "robot.base", "robot.base.pivot"]);
    await page.locator(".tree .name", { hasText: /^pivot$/ }).click();
    assert.equal(await evaluate(page, () => carom.selected), long);
    await page.getByLabel("Plot robot.base.pivot", { exact: true }).click();
    assert.deepEqual((await evaluate(page, () => carom.plots)).at(-1), ["robot.base.pivot.angle", "robot.base.pivot.rate"]);
    await page.fill("#object-search", "");
    assert.ok(new Map(await rows()).has(long), "what is selected is shown in the tree");
    assert.deepEqual(page.faults, []);
  },

  async default_plots_are_of_what_moves({ open }) {
    const page = await open("workshop", workshop());
    assert.deepEqual(await evaluate(page, () => carom.plots), [["robot.base.pivot.angle"], ["energy.kinetic"], [`pad – ${long}.force`]]);
  },

  async legends_keep_the_end_of_long_names({ open }) {
    const page = await open("workshop", workshop());
    await evaluate(page, (name) => carom.plot([name]), `${long}.frame.position.x`);
    const legend = page.locator(".plot").last().locator(".legend .signal");
    assert.equal(await legend.textContent(), `${long}.frame.position.x`);
    const [end, whole] = await legend.evaluate((node) => [node.querySelector(".name-end").getBoundingClientRect(), node.getBoundingClientRect()].map(({ right }) => right));
    assert.ok(end <= whole + 1, `the end of the name is at ${end}, its place ends at ${whole}`);
    assert.match(await legend.locator(".name-end").textContent(), /position\.x$/);
  },

  async contacts_have_curves_of_force_depth_and_losses({ open }) {
    const page = await open("workshop", workshop());
    const at = (name, time) => evaluate(page, ([signal, t]) => { carom.setTime(t); return carom.valueOf(signal); }, [name, time]);
    const pair = `pad – ${long}`;
    near(await at(`${pair}.force`, 0.5), 20, 1e-6, "force");
    near(await at(`${pair}.force`, 1.5), 0, 0, "force after the end");
    near(await at(`${pair}.depth`, 0.5), 1e-4, 1e-9, "depth");
    near(await at(`${pair}.losses`, 0.5), 0.25, 1e-6, "losses so far");
    near(await at(`${pair}.losses`, 1), 0.5, 1e-6, "losses at the end");
    near(await at(`${pair}.losses`, 1.75), 0.5, 1e-6, "losses after the end");
    near(await at("chip – pad.losses", 2), 1.2, 1e-5, "losses of 120 contacts");
  },

  async contacts_are_grouped_by_pair_and_open_to_their_list({ open }) {
    const page = await open("workshop", workshop());
    await page.click("#tab-contacts");
    assert.deepEqual(await page.$$eval("#present-contacts th", (heads) => heads.map((head) => head.textContent)), ["Objects", "Force [N]", "Depth [m]"]); // points have no area
    const groups = page.locator("#contact-groups .group");
    assert.equal(await groups.count(), 2);
    const cells = await groups.first().locator("td").allTextContents();
    assert.equal(cells[0], "chip – pad");
    assert.equal(cells[1], "120");
    near(Number(cells[2]), 0.12, 1e-6, "time of touching");
    near(Number(cells[4]), 119, 0, "largest force");
    near(Number(cells[6]), 1.2, 1e-6, "losses");
    assert.match(await page.textContent("#contact-groups p[role=status]"), /^2 pairs, 121 contacts; the report has the first 121 of 500, result\.h5 has all$/);
    await groups.first().locator(".fold").click();
    const own = page.locator("#contact-groups .own:visible tbody tr");
    assert.equal(await own.count(), 50);
    await page.getByText("70 more").click();
    assert.equal(await own.count(), 100);
    await page.getByText("20 more").click();
    assert.equal(await own.count(), 120);
    await own.nth(40).locator(".link").click();
    near(await evaluate(page, () => carom.time), 1.2, 1e-6, "time of a contact");
    await groups.first().getByLabel("Force, depth and losses over time").click();
    assert.deepEqual((await evaluate(page, () => carom.plots)).slice(-2), [["chip – pad.force", "chip – pad.depth"], ["chip – pad.losses"]]);
    await page.locator("#contact-groups input[type=search]").fill("robot");
    assert.equal(await groups.count(), 1);
    assert.deepEqual(page.faults, []);
  },

  async inertia_centres_and_contact_geometry_are_views({ open }) {
    const page = await open("workshop", workshop());
    const [arm] = await evaluate(page, () => carom.ellipsoids);
    [0.4, 0.2, 0.1].forEach((edge, i) => near(arm.lengths[i], edge * Math.sqrt(5 / 12), 1e-9, "half axis of an even box's ellipsoid"));
    const shoot = async (option, isOn) => decodeDataUrl(await evaluate(page, ([name, value]) => { carom.setOption(name, value); carom.setTime(0.4); return carom.renderFrame(240, 150); }, [option, isOn]));
    const isYellow = (r, g, b) => r > 180 && g > 150 && b < 90, isTeal = (r, g, b) => g > 1.4 * r && b > 1.4 * r, isPurple = (r, g, b) => b > 1.15 * g && r > 1.05 * g && b > 80;
    const before = await shoot("points", false);
    assert.equal(countPixels(before, isYellow), 0);
    assert.ok(countPixels(await shoot("centres", true), isYellow) > 4, "centres of mass");
    await shoot("centres", false);
    assert.ok(countPixels(await shoot("inertia", true), isPurple) > 100 + countPixels(before, isPurple), "inertia ellipsoids");
    await shoot("inertia", false);
    assert.ok(countPixels(await shoot("contactShapes", true), isTeal) > 40 + countPixels(before, isTeal), "contact geometry");
    assert.ok((await evaluate(page, () => carom.ghosts)).includes(long), "what hides it is transparent");
    await shoot("contactShapes", false);
    assert.ok(await evaluate(page, () => carom.visibleIn("pad")) === null, "unseen shapes are hidden again");
    await page.getByLabel("What is shown").first().click();
    for (const option of ["centres", "inertia", "contactShapes", "joints"]) assert.ok(await page.isVisible(`#show-${option}`), option);
    assert.deepEqual(page.faults, []);
  },

  async signals_are_plotted_over_each_other({ open }) {
    const page = await open("workshop", workshop());
    await page.click("#add-xy");
    await page.fill("#signal-search", "circle");
    await page.locator(".picker .signals input").nth(0).check();
    await page.locator(".picker .signals input").nth(1).check();
    await page.getByText("Done").click();
    assert.deepEqual((await evaluate(page, () => carom.plots)).at(-1), ["circle.cosine", "circle.sine"]);
    // the dot goes along a circle: equal scales, since both are in metres
    const spots = [];
    for (const time of [0, 1, 2]) spots.push(await evaluate(page, (t) => { carom.setTime(t); return carom.spots; }, time));
    const [a, b, c] = spots.map((list) => list[0]);
    const chord = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1]);
    near(chord(a, b) / chord(b, c), 1, 2e-3, "equal steps on a circle");
    near(chord(a, c) / chord(a, b), Math.sin(1) / Math.sin(0.5), 5e-3, "twice the angle");
    const colors = await page.locator(".xy").first().evaluate((canvas) => {
      const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      let count = 0;
      for (let i = 0; i < data.length; i += 4) count += data[i + 2] > 1.5 * data[i] && data[i + 3] > 128;
      return count;
    });
    assert.ok(colors > 100, `${colors} pixels of the curve`);
    const [csv] = await Promise.all([page.waitForEvent("download"), page.locator(".plot").last().locator(".csv").click()]);
    assert.match(readFileSync(await csv.path(), "utf8"), /^time \[s\],circle\.cosine \[m\],circle\.sine \[m\]\r\n0,1,0\r\n/);
    const [png] = await Promise.all([page.waitForEvent("download"), page.locator(".plot").last().locator(".png").click()]);
    assert.equal(readFileSync(await png.path()).toString("latin1", 1, 4), "PNG");
    await page.locator(".plot").last().getByLabel("Remove this plot").click();
    assert.deepEqual(page.faults, []);
  },

  async several_runs_are_shown_over_each_other({ open }) {
    const page = await open("compared", compared());
    assert.deepEqual(await evaluate(page, () => carom.others), ["speed 2"]);
    assert.equal(await evaluate(page, () => carom.stop), 3); // of the longer one
    const at = (time) => evaluate(page, (t) => { carom.setTime(t); return [carom.poseOf("ball")[0], carom.poseOfOther(0, "ball")[0]]; }, time);
    for (const [time, own, other] of [[0.5, 0.5, 1], [1.75, 1.75, 3.5], [2.5, 2, 5]]) {
      const [a, b] = await at(time);
      near(a, own, 1e-6, `own ball at ${time} s`);
      near(b, other, 1e-5, `other ball at ${time} s`);
    }
    const isBlue = (r, g, b) => b > 1.25 * r && b > 90;
    const shoot = async () => decodeDataUrl(await evaluate(page, () => { carom.look([0, -1, 0.2]); carom.setTime(0.9); return carom.renderFrame(240, 150); }));
    const blue = countPixels(await shoot(), isBlue);
    const [csv] = await Promise.all([page.waitForEvent("download"), page.locator(".plot").first().locator(".csv").click()]);
    const lines = readFileSync(await csv.path(), "utf8").trim().split("\r\n");
    assert.equal(lines[0], "time [s],ball.position.x [m],speed 2: ball.position.x [m]");
    const last = lines.at(-1).split(",");
    assert.deepEqual([Number(last[0]), last[1], Number(last[2])], [3, "", 6]); // the shorter run has no values there
    for (const line of lines.slice(1)) {
      const [time, own, other] = line.split(",").map(Number);
      near(other, 2 * time, 1e-5, "other curve");
      if (time <= 2) near(own, time, 1e-6, "own curve");
    }
    await page.locator("#run-key input").uncheck();
    const without = countPixels(await shoot(), isBlue);
    assert.ok(blue > without + 100, `${blue} blue pixels with the other run, ${without} without`);
    assert.equal(await page.textContent("#run-key"), "a.runspeed 2");
    assert.deepEqual(page.faults, []);
  },

  async pictures_and_films_are_downloaded({ open }) {
    const page = await open("bouncing", bouncing());
    const [png] = await Promise.all([page.waitForEvent("download"), page.click("#download-picture")]);
    assert.equal(readFileSync(await png.path()).toString("latin1", 1, 4), "PNG");
    await evaluate(page, () => { carom.setTime(1.5); carom.speed = 2; });
    await page.keyboard.press("l");
    const film = page.waitForEvent("download", { timeout: 60000 });
    await page.click("#record-film");
    assert.equal(await page.getAttribute("#record-film", "aria-pressed"), "true");
    const bytes = readFileSync(await (await film).path());
    assert.equal((await film).suggestedFilename(), "bouncing_ball.webm");
    assert.equal(bytes.toString("hex", 0, 4), "1a45dfa3"); // EBML, the head of WebM
    assert.ok(bytes.length > 2000, `${bytes.length} bytes`);
    assert.equal(await evaluate(page, () => carom.time), 3); // it played to the end, once, although the run repeats
    assert.equal(await page.getAttribute("#record-film", "aria-pressed"), "false");
    assert.equal(await page.getAttribute("#loop", "aria-pressed"), "true");
    assert.deepEqual(page.faults, []);
  },
};

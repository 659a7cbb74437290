// The page itself: opens without complaint, plays, scrubs, selects, plots; names stay names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { bounceHeight, bouncing, crowd, gallery, hostileNames, least } from "./fixture.mjs";
import { decodeDataUrl, openPage } from "./browser.mjs";

const near = (a, b, tol, what) => assert.ok(Math.abs(a - b) <= tol, `${what}: ${a}, expected ${b}`);
const evaluate = (page, body, argument) => page.evaluate(body, argument);

export const tests = {
  async opens_from_a_file_without_complaint({ open }) {
    const page = await open("bouncing", bouncing());
    assert.equal(await page.title(), "bouncing ball – Carom");
    assert.equal(await page.locator("html").getAttribute("data-ready"), "1");
    assert.deepEqual(page.faults, []);
  },

  async shown_pose_equals_the_data_at_output_points_and_the_motion_between({ open }) {
    const page = await open("bouncing", bouncing());
    for (const time of [0, 0.025, 0.3, 1.5, 2.975, 3]) {
      const pose = await evaluate(page, (t) => { carom.setTime(t); return carom.poseOf("ball"); }, time);
      near(pose[2], bounceHeight(time) + 0.12, 2e-6, `height at ${time} s`);
      near(pose[3], Math.cos(time / 2), 1e-6, `turn at ${time} s`);
    }
    // between output points free flight is a parabola, which the interpolation reproduces; beside a bounce too
    for (const time of [0.1111, 0.4237, 0.6049, 1.99]) {
      const pose = await evaluate(page, (t) => { carom.setTime(t); return carom.poseOf("ball"); }, time);
      near(pose[2], bounceHeight(time) + 0.12, 2e-5, `height at ${time} s`);
    }
    const knob = await evaluate(page, () => { carom.setTime(1); return carom.poseOf("spinner.knob"); });
    near(knob[0], -0.5 + 0.1 * Math.cos(2), 1e-5, "knob x");
    near(knob[1], 0.1 * Math.sin(2), 1e-5, "knob y");
    // an interval with a bounce inside is a straight line between its rows: never below the floor
    const low = await evaluate(page, () => {
      let low = 1;
      for (let t = 0; t <= 3; t += 0.001) low = Math.min(low, carom.poseAt("ball", t)[2]);
      return low;
    });
    assert.ok(low >= 0.12 - 1e-4, `lowest ${low}`);
  },

  async rows_beside_events_keep_bounces_sharp({ open }) {
    const page = await open("event_rows", bouncing(61, true));
    const fall = Math.sqrt(2 / 9.81);
    for (const time of [fall - 0.01, fall - 1e-4, fall, fall + 1e-4, fall + 0.01, 3 * fall - 0.004, 3 * fall + 0.004, 1, 2.7]) {
      const pose = await evaluate(page, (t) => carom.poseAt("ball", t), time);
      near(pose[2], bounceHeight(time) + 0.12, 5e-6, `height at ${time} s`);
    }
    await evaluate(page, () => carom.setTime(0.4));
    await page.click("#step-forward"); // 0.45
    await page.click("#step-forward"); // the event, whose two rows are one step
    near(await evaluate(page, () => carom.time), fall, 1e-6, "step to the event");
    await page.click("#step-forward");
    near(await evaluate(page, () => carom.time), 0.5, 1e-6, "step beyond the event");
  },

  async the_least_report_opens({ open }) {
    const page = await open("least", least());
    for (const tab of ["objects", "contacts", "statistics", "model", "plots"]) await page.click(`#tab-${tab}`);
    await page.click("#play");
    await page.click("#step-forward");
    assert.equal(await evaluate(page, () => carom.time), 2);
    assert.deepEqual(page.faults, []);
  },

  async plays_pauses_steps_and_scrubs({ open }) {
    const page = await open("bouncing", bouncing());
    await page.click("#play");
    await page.waitForFunction(() => carom.time > 0.05);
    await page.keyboard.press("Space");
    assert.equal(await evaluate(page, () => carom.isPlaying), false);
    await evaluate(page, () => carom.setTime(0.5));
    await page.click("#step-forward");
    near(await evaluate(page, () => carom.time), 0.525, 1e-6, "after a step");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    near(await evaluate(page, () => carom.time), 0.475, 1e-6, "after two steps back");
    await page.click("#event-forward");
    near(await evaluate(page, () => carom.time), 3 * Math.sqrt(2 / 9.81), 1e-6, "next event");
    assert.match(await page.textContent(".event-text"), /contact: floor and ball/);
    await page.keyboard.press("[");
    near(await evaluate(page, () => carom.time), Math.sqrt(2 / 9.81), 1e-6, "last event");
    await page.locator("#scrub").fill("5000");
    near(await evaluate(page, () => carom.time), 1.5, 1e-3, "scrubbed");
    assert.equal(await page.textContent("#now"), "1.500");
    await page.selectOption("#speed", "0.001");
    assert.equal(await evaluate(page, () => carom.speed), 0.001);
    await page.keyboard.press("End");
    assert.equal(await evaluate(page, () => carom.time), 3);
    assert.deepEqual(page.faults, []);
  },

  async selects_by_click_and_shows_the_card({ open }) {
    const page = await open("bouncing", bouncing());
    await evaluate(page, () => carom.setTime(0));
    const box = await evaluate(page, () => carom.visibleIn("ball"));
    const view = await page.locator("#view canvas").boundingBox();
    await page.mouse.click(view.x + (view.width * (1 + (box.left + box.right) / 2)) / 2, view.y + (view.height * (1 - (box.bottom + box.top) / 2)) / 2);
    assert.equal(await evaluate(page, () => carom.selected), "ball");
    const card = await page.textContent("#card");
    for (const text of ["ball", "1 kg", "Rubber", "position.z"]) assert.ok(card.includes(text), `${text} in ${card}`);
    await page.locator("#card").getByLabel("Follow with the camera (F)").click();
    const at = () => evaluate(page, () => { const b = carom.visibleIn("ball"); return [(b.left + b.right) / 2, (b.top + b.bottom) / 2]; });
    await evaluate(page, () => carom.setTime(0));
    const before = await at();
    await evaluate(page, () => carom.setTime(0.4));
    const after = await at();
    near(after[0], before[0], 0.02, "followed x");
    near(after[1], before[1], 0.02, "followed y");
    await page.keyboard.press("Escape");
    assert.equal(await evaluate(page, () => carom.selected), null);
    assert.equal(await page.isVisible("#card"), false);
    assert.deepEqual(page.faults, []);
  },

  async what_is_in_the_way_becomes_transparent({ open }) {
    const page = await open("bouncing", bouncing());
    const ghosts = () => evaluate(page, () => carom.ghosts);
    await evaluate(page, () => { carom.look([0, 0, -1]); carom.select("spinner.knob"); carom.setTime(0); });
    assert.deepEqual(await ghosts(), ["spinner"]);
    await evaluate(page, () => { carom.setOption("seeThrough", false); });
    assert.deepEqual(await ghosts(), []);
  },

  async switches_and_tree_hide_and_find_objects({ open }) {
    const page = await open("bouncing", bouncing());
    await page.click("#tab-objects");
    await page.fill("#object-search", "kno");
    assert.equal(await page.locator(".tree .row:visible").count(), 2);
    await page.fill("#object-search", "");
    await page.getByLabel("Hide spinner", { exact: true }).click();
    await evaluate(page, () => carom.setTime(0));
    assert.equal(await evaluate(page, () => carom.visibleIn("spinner")), null);
    assert.equal(await evaluate(page, () => carom.visibleIn("spinner.knob")), null);
    await page.getByText("Show all").click();
    await evaluate(page, () => carom.setTime(0));
    assert.ok(await evaluate(page, () => carom.visibleIn("spinner")));
    await page.getByLabel("What is shown").first().click();
    for (const option of ["normals", "trails", "joints", "frames", "forces", "points", "shadows"]) await page.click(`#show-${option}`);
    await evaluate(page, () => carom.setTime(1.2));
    await page.keyboard.press("t");
    assert.equal(await page.isChecked("#show-trails"), false);
    assert.deepEqual(page.faults, []);
  },

  async contacts_are_shown_at_their_time({ open }) {
    const page = await open("bouncing", bouncing());
    await evaluate(page, () => carom.setTime(0.45));
    const contacts = await evaluate(page, () => carom.contacts);
    assert.equal(contacts.length, 2);
    assert.deepEqual(contacts.find((sample) => sample[0] === 0).slice(7, 10), [0, 0, 900]);
    await evaluate(page, () => carom.setTime(0.9));
    assert.equal((await evaluate(page, () => carom.contacts)).length, 1);
  },

  async patches_are_fans_coloured_by_pressure({ open }) {
    const page = await open("bouncing", bouncing());
    await evaluate(page, () => carom.setTime(0.45));
    assert.equal(await evaluate(page, () => carom.patchTriangles), 4); // of the spinner's face; the ball touches at a point
    await page.click("#tab-contacts");
    const cells = await page.locator("#present-contacts tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.deepEqual(cells.map((row) => row[0]), ["floor – ball", "floor – spinner"]); // the largest force first
    assert.deepEqual(cells[0].slice(3), ["–", "–", "–"]);
    assert.deepEqual(cells[1].slice(3), ["0.12", "500 Pa", "2 kPa"]);
    await page.getByLabel("What is shown").first().click();
    assert.match(await page.textContent("#pressure-map"), /0.*2 kPa/);
    await page.click("#show-patches");
    await evaluate(page, () => carom.setTime(0.46));
    assert.equal(await evaluate(page, () => carom.patchTriangles), 0);
    assert.deepEqual(page.faults, []);
  },

  async runs_without_patches_have_no_switch_for_them({ open }) {
    const page = await open("gallery", gallery());
    await page.getByLabel("What is shown").first().click();
    assert.equal(await page.locator("#show-patches, #pressure-map").count(), 0);
    await page.keyboard.press("p");
    assert.deepEqual(page.faults, []);
  },

  async plots_follow_the_animation_and_lead_it({ open }) {
    const page = await open("bouncing", bouncing());
    const line = () => page.locator(".now-line").first().evaluate((node) => node.getBoundingClientRect().left + 1 - node.parentElement.getBoundingClientRect().left);
    const over = page.locator(".u-over").first();
    const width = (await over.boundingBox()).width;
    await evaluate(page, () => carom.setTime(1.5));
    near(await line(), width / 2, 1, "line in the middle");
    const box = await over.boundingBox();
    await page.mouse.click(box.x + 0.25 * box.width, box.y + 40);
    near(await evaluate(page, () => carom.time), 0.75, 0.01, "time after a click in the plot");
    near(await line(), width / 4, 1.5, "line after a click");
    // zoom by Shift and drag, then all again
    await page.keyboard.down("Shift");
    await page.mouse.move(box.x + 0.2 * box.width, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 40, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await evaluate(page, () => carom.setTime(1.05));
    near(await line(), width / 2, 3, "line in the middle of the zoomed range");
    await page.getByLabel("Show all of the run").first().click();
    near(await line(), width * 0.35, 2, "line after all is shown");
    assert.deepEqual(page.faults, []);
  },

  async signals_are_picked_by_name_and_plots_downloaded({ open }) {
    const page = await open("bouncing", bouncing());
    await page.click("#add-plot");
    await page.fill("#signal-search", "energy");
    assert.equal(await page.locator(".picker .signals li").count(), 2);
    await page.locator(".picker .signals input").nth(0).check();
    await page.locator(".picker .signals input").nth(1).check();
    await page.getByText("Done").click();
    assert.deepEqual((await evaluate(page, () => carom.plots)).at(-1), ["energy.kinetic", "energy.potential"]);
    const legend = await page.locator(".plot").last().textContent();
    assert.ok(legend.includes("J"), legend);
    const [csv] = await Promise.all([page.waitForEvent("download"), page.locator(".plot").last().locator(".csv").click()]);
    const lines = readFileSync(await csv.path(), "utf8").trim().split("\r\n");
    assert.equal(lines[0], "time [s],energy.kinetic [J],energy.potential [J]");
    assert.equal(lines.length, 122);
    near(Number(lines[1].split(",")[2]), 9.81, 1e-5, "first potential energy");
    const [png] = await Promise.all([page.waitForEvent("download"), page.locator(".plot").last().locator(".png").click()]);
    assert.equal(readFileSync(await png.path()).toString("latin1", 1, 4), "PNG");
    await evaluate(page, () => carom.plot(["floor-ball.force"]));
    assert.deepEqual(page.faults, []);
  },

  async pages_show_what_they_should({ open }) {
    const page = await open("bouncing", bouncing());
    await page.click("#tab-statistics");
    for (const text of ["Energy balance", "unexplained", "LSODAR", "1,234"]) assert.ok((await page.textContent("#page-statistics")).includes(text), text);
    await page.click("#tab-contacts");
    await page.locator("#contact-groups .group .fold").first().click();
    await page.locator("#contact-groups .own .link").nth(1).click();
    near(await evaluate(page, () => carom.time), 3 * Math.sqrt(2 / 9.81), 1e-4, "time of the second contact");
    assert.equal(await evaluate(page, () => carom.selected), "ball");
    await page.click("#tab-model");
    assert.ok((await page.textContent("#page-model")).includes("<b>not bold</b>"));
    await page.keyboard.press("?");
    assert.ok(await page.isVisible("#help"));
    await page.keyboard.press("Escape");
    assert.equal(await page.isVisible("#help"), false);
    assert.deepEqual(page.faults, []);
  },

  async themes_switch_and_controls_have_names({ open }) {
    const page = await open("bouncing", bouncing(), { colorScheme: "dark" });
    assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
    await page.click("#theme");
    assert.equal(await page.locator("html").getAttribute("data-theme"), "light");
    const nameless = await page.$$eval("button, input, select, [role=img]", (nodes) => nodes.filter((node) =>
      !(node.getAttribute("aria-label") || node.textContent.trim() || node.labels?.length)).map((node) => node.outerHTML));
    assert.deepEqual(nameless, []);
  },

  async every_shape_is_in_the_picture_and_nothing_is_cut_off({ open }) {
    const page = await open("gallery", gallery());
    assert.deepEqual(page.faults, []);
    for (const time of [5, 6, 7]) {
      await evaluate(page, (t) => carom.setTime(t), time);
      for (const path of await evaluate(page, () => carom.objects.filter((name) => name.startsWith("shape.") && !/grid|text/.test(name)))) {
        const box = await evaluate(page, (name) => carom.visibleIn(name), path);
        assert.ok(box, `${path} has no parts`);
        assert.ok(box.left > -1 && box.right < 1 && box.bottom > -1 && box.top < 1, `${path} at ${time} s: ${JSON.stringify(box)}`);
      }
    }
    const picture = decodeDataUrl(await evaluate(page, () => carom.capture(5.5, 320, 200)));
    assert.deepEqual([picture.width, picture.height], [320, 200]);
    const counts = { blue: 0, gold: 0 };
    for (let y = 0; y < 200; y++) {
      for (let x = 0; x < 320; x++) {
        const [r, g, b] = picture.at(x, y);
        if (b > 1.6 * r && b > 90) counts.blue++;
        if (r > 1.8 * b && g > 1.3 * b) counts.gold++;
      }
    }
    assert.ok(counts.blue > 200 && counts.gold > 200, JSON.stringify(counts));
  },

  async lists_that_are_cut_off_say_so({ open }) {
    for (const [more, expected] of [[{ contactCount: 31180 }, /^1 pair, 3 contacts; the report has the first 3 of 31,180, result\.h5 has all$/], [{}, /^1 pair, 3 contacts$/]]) {
      const page = await open("cut_" + Object.keys(more).length, bouncing(121, false, {}, more));
      await page.click("#tab-contacts");
      const notes = await page.$$eval("#page-contacts section p[role=status]", (nodes) => nodes.map((node) => node.textContent));
      assert.ok(notes.some((note) => expected.test(note)), JSON.stringify(notes));
    }
  },

  async what_is_transparent_is_seen_before_a_floor({ open }) {
    const greens = [];
    for (const opacity of [1, 0.6]) {
      const page = await open(`glass_${opacity}`, bouncing(121, false, { color: [0.05, 0.8, 0.1], opacity }));
      const picture = decodeDataUrl(await evaluate(page, () => carom.capture(0.2, 320, 200)));
      let count = 0;
      for (let y = 0; y < 200; y++) {
        for (let x = 0; x < 320; x++) {
          const [r, g, b] = picture.at(x, y);
          count += g > 1.15 * r && g > 1.15 * b;
        }
      }
      greens.push(count);
    }
    assert.ok(greens[0] > 200 && greens[1] > 0.8 * greens[0], `green pixels opaque and transparent: ${greens}`);
  },

  async hostile_names_stay_names({ open }) {
    const page = await open("gallery", gallery());
    for (const tab of ["objects", "contacts", "statistics", "model", "plots"]) await page.click(`#tab-${tab}`);
    for (const name of hostileNames) {
      await evaluate(page, (path) => carom.select(path), name);
      assert.equal(await page.textContent("#card h2"), name);
    }
    await page.click("#add-plot");
    await page.keyboard.press("Escape");
    assert.equal(await evaluate(page, () => window.hacked), undefined);
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.textContent("#title"), "gallery <script>window.hacked=1</script>");
    assert.ok((await page.textContent(".thinned")).includes("1 in 3"));
    assert.deepEqual(page.faults, []);
  },

  async bare_address_shows_the_picture_alone({ open }) {
    const page = await open("bouncing", bouncing(), { hash: "#time=1.5&bare=1&theme=dark" });
    assert.equal(await page.isVisible("#transport"), false);
    near(await evaluate(page, () => carom.time), 1.5, 1e-9, "time");
    const box = await page.locator("#view canvas").boundingBox();
    assert.deepEqual([box.width, box.height], [840, 520]);
  },

  async fits_a_phone({ open }) {
    const page = await open("bouncing", bouncing(), { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    assert.equal(await evaluate(page, () => document.documentElement.scrollWidth), 360);
    for (const id of ["play", "scrub", "speed", "tab-model", "theme"]) {
      const box = await page.locator(`#${id}`).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 361, `${id}: ${JSON.stringify(box)}`);
    }
    const bar = await page.locator("#transport").boundingBox();
    assert.ok(bar.height < 110, `transport ${bar.height} px high`);
    await page.tap("#play");
    await page.waitForFunction(() => carom.time > 0.02);
    assert.deepEqual(page.faults, []);
  },

  async fits_windows_of_all_widths({ open }) {
    const page = await open("bouncing", bouncing());
    for (const width of [830, 1000, 1400, 700, 320]) {
      await page.setViewportSize({ width, height: 520 });
      const overflow = await evaluate(page, () => [...document.querySelectorAll("#stage, #transport > *, #panel, .plot, #actions")]
        .filter((node) => node.offsetParent && (node.getBoundingClientRect().right > innerWidth + 1 || node.scrollWidth > node.clientWidth + 24)).map((node) => node.className));
      assert.deepEqual(overflow, [], `at ${width} px`);
      await page.waitForFunction(() => document.querySelector("#view canvas").clientWidth === document.querySelector("#stage").clientWidth);
      const stage = await page.locator("#stage").boundingBox();
      const parts = await page.$$eval("#transport > *", (nodes) => nodes.map((node) => node.getBoundingClientRect().right));
      assert.ok(Math.max(...parts) <= stage.x + stage.width + 1, `transport ends at ${Math.max(...parts)} of ${stage.width}`);
    }
  },

  async without_webgl_the_rest_still_works({ openWithout3d }) {
    const page = await openWithout3d("bouncing", bouncing());
    assert.match(await page.textContent(".no-picture"), /cannot draw in 3D/);
    await page.click("#tab-statistics");
    assert.ok(await page.isVisible("text=LSODAR"));
    await page.click("#tab-plots");
    await evaluate(page, () => carom.setTime(1.5));
    assert.equal(await page.textContent("#now"), "1.500");
    await page.click("#tab-objects");
    assert.ok(await page.isVisible("text=spinner"));
  },

  async an_empty_template_and_a_damaged_report_say_so({ open }) {
    const template = readFileSync(new URL("../dist/report.html", import.meta.url), "utf8");
    let page = await open("empty", template);
    assert.match(await page.textContent(".failure"), /no run has been written/);
    page = await open("damaged", bouncing().replace(/"values":\[\d+,121\]/, '"values":[999999,121]'));
    assert.match(await page.textContent(".failure"), /damaged/);
  },

  async a_thousand_bodies_open_fast_and_cost_little_script({ open }) {
    const html = crowd();
    let page, opened = Infinity, script = Infinity, calls;
    // other programs take their share of the processor: the best of a few attempts counts, and limits grow with the load
    const share = Math.max(1, loadavg()[0] / cpus().length);
    for (let attempt = 0; attempt < 3 && !(opened < 3000 && script < 8); attempt++) {
      page = await open("crowd", html, { hash: "" });
      opened = Math.min(opened, await evaluate(page, () => performance.getEntriesByName("carom-ready")[0].startTime));
      const costs = await evaluate(page, () => Array.from({ length: 6 }, (_, i) => { carom.setTime(0.2 + 0.1 * i); return carom.cost.script; }));
      script = Math.min(script, costs.sort((a, b) => a - b)[2]);
      ({ calls } = await evaluate(page, () => carom.cost));
    }
    const load = share > 1 ? `, with ${share.toFixed(1)} programs per processor` : "";
    console.log(`      1,000 bodies: open in ${opened.toFixed(0)} ms, ${script.toFixed(1)} ms of script per picture, ${calls} draw calls${load}`);
    assert.ok(opened < 3000 * share, `opened in ${opened} ms`);
    assert.ok(script < 8 * share, `${script} ms of script`);
    assert.ok(calls < 40, `${calls} draw calls`);
    assert.deepEqual(page.faults, []);
  },

  async ten_thousand_bodies_cost_little_script({ open }) {
    const page = await open("large_crowd", crowd(10000, 6, 20000, true), { hash: "#shadows=0", viewport: { width: 400, height: 300 } });
    // A machine without a graphics card takes seconds to draw this, and lets the script wait meanwhile: what counts is how long the
    // page takes to prepare a picture, poses to arrows. The least of some: other programs only make it longer.
    const share = Math.max(1, loadavg()[0] / cpus().length), costs = [], begin = Date.now();
    while (costs.length < 8 || (Math.min(...costs) > 4 && Date.now() - begin < 40000)) {
      costs.push(await evaluate(page, (t) => { carom.setTime(t); return carom.cost.prepare; }, 0.07 * (costs.length % 50) + 0.013));
    }
    const script = Math.min(...costs), { calls } = await evaluate(page, () => carom.cost);
    console.log(`      10,000 bodies, 20,000 contacts: ${script.toFixed(1)} ms of script to prepare a picture, ${calls} draw calls, ${share.toFixed(1)} programs per processor`);
    assert.ok(script <= 4 * share, `${script} ms of script`); // of 5; the renderer takes less than one for so few calls
    assert.ok(calls < 20, `${calls} draw calls`);
    await page.click("#tab-objects");
    assert.ok((await page.locator(".tree .row").count()) < 500, "rows of the tree are made when they are seen");
    await page.fill("#object-search", "b9999");
    const found = await page.$$eval(".tree .row .name", (nodes) => nodes.map((node) => node.title));
    assert.deepEqual(found, ["heap", "heap.b9999", "Contacts", "world – heap.b9999", "world – heap.b9999"]); // it touches twice
    assert.deepEqual(page.faults, []);
  },
};

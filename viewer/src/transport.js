// The transport: play, step, scrub and speed, with the events of the run as marks above the slider.
import { element, iconButton, setIcon } from "./dom.js";
import { speeds } from "./clock.js";
import { timeDecimals } from "./number_text.js";
import { cssColor } from "./theme.js";

const slots = 10000; // of the slider

export class Transport {
  constructor(run, clock, theme, place) {
    this.run = run;
    this.clock = clock;
    this.#buildControls();
    this.end = element("span", { class: "quiet" });
    place.append(
      element("div", { class: "buttons" }, this.previousEvent, this.back, this.playButton, this.forward, this.nextEvent),
      element("div", { class: "track" }, this.marks, this.slider),
      element("div", { class: "clock" }, this.now, this.end),
      element("label", { class: "speed" }, element("span", { class: "unseen", text: "Speed" }), this.speed),
      this.loop);
    clock.on("time", () => this.#showTime());
    clock.on("state", () => this.#showState());
    theme.on("change", () => this.#drawMarks());
    new ResizeObserver(() => this.#drawMarks()).observe(this.marks);
    this.extend();
    this.#showState();
  }

  /** Shows the end of the run and its events, as they are by now. */
  extend() {
    this.decimals = timeDecimals(this.run);
    this.end.textContent = ` / ${this.#format(this.clock.stop)} s`;
    const hasEvents = this.run.events.length > 0;
    this.previousEvent.disabled = this.nextEvent.disabled = !hasEvents;
    this.#showTime();
    this.#drawMarks();
  }

  #buildControls() {
    const { clock } = this;
    this.playButton = iconButton("play", "Play (space)", () => clock.toggle(), { id: "play", class: "tool play" });
    this.back = iconButton("stepBack", "One output point back (←)", () => clock.stepFrame(-1), { id: "step-back" });
    this.forward = iconButton("stepForward", "One output point forward (→)", () => clock.stepFrame(1), { id: "step-forward" });
    this.previousEvent = iconButton("eventBack", "Previous event ([)", () => clock.stepEvent(-1), { id: "event-back" });
    this.nextEvent = iconButton("eventForward", "Next event (])", () => clock.stepEvent(1), { id: "event-forward" });
    this.loop = iconButton("loop", "Repeat (L)", () => clock.setLooping(!clock.isLooping), { id: "loop", "aria-pressed": "false" });
    this.slider = element("input", { id: "scrub", type: "range", min: 0, max: slots, step: 1, "aria-label": "Time", oninput: () => this.#scrub() });
    this.marks = element("canvas", { class: "marks", "aria-hidden": "true" });
    this.now = element("output", { id: "now", "aria-label": "Time shown" });
    this.speed = element("select", { id: "speed", title: "Speed (− and +)", onchange: () => clock.setSpeed(Number(this.speed.value)) },
      speeds.map((speed) => element("option", { value: speed, text: `${speed}×` })));
  }

  #format(time) {
    return time.toFixed(this.decimals);
  }

  #scrub() {
    const { clock } = this;
    const wasPlaying = clock.isPlaying;
    if (wasPlaying) clock.pause();
    clock.setTime(clock.start + (Number(this.slider.value) / slots) * (clock.stop - clock.start));
  }

  #showTime() {
    const { clock } = this;
    const share = clock.stop > clock.start ? (clock.time - clock.start) / (clock.stop - clock.start) : 0;
    const text = this.#format(clock.time);
    if (this.now.textContent !== text) this.now.textContent = text;
    this.slider.value = Math.round(slots * share);
    this.slider.style.setProperty("--share", share.toFixed(4));
    this.slider.setAttribute("aria-valuetext", `${text} s`);
  }

  #showState() {
    const { clock } = this;
    if (this.isPlaying !== clock.isPlaying) setIcon(this.playButton, clock.isPlaying ? "pause" : "play", clock.isPlaying ? "Pause (space)" : "Play (space)");
    this.isPlaying = clock.isPlaying;
    this.loop.setAttribute("aria-pressed", String(clock.isLooping));
    this.speed.value = String(speeds.find((speed) => Math.abs(speed / clock.speed - 1) < 1e-6) ?? "");
  }

  /** One line per event; where they are dense, the lines run together. */
  #drawMarks() {
    const { marks, run, clock } = this;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(marks.clientWidth * ratio), height = Math.round(marks.clientHeight * ratio);
    if (width === 0) return;
    marks.width = width;
    marks.height = height;
    const pen = marks.getContext("2d");
    pen.fillStyle = cssColor("--event");
    pen.globalAlpha = run.events.length > 200 ? 0.4 : 0.85;
    const inset = 8 * ratio; // the thumb's radius: where the slider's ends are
    for (const event of run.events) {
      const share = (event.time - clock.start) / (clock.stop - clock.start || 1);
      if (share >= 0 && share <= 1) pen.fillRect(Math.round(inset + share * (width - 2 * inset)), 0, Math.max(1, ratio), height);
    }
  }
}

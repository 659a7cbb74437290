// The clock of the animation: the time that is shown, playing or not, at a speed. Emits "time", "state".
import { Emitter } from "./emitter.js";

/** Seconds shown per second, from 0.001 to 100. */
export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

const rounding = 2 ** -23; // [1] of a time as float32
const shortestShow = 3; // [s] a run is slowed down by default to last this long

export class Clock extends Emitter {
  constructor(run) {
    super();
    this.run = run;
    this.start = Math.min(...[run, ...run.others].map(({ startTime }) => startTime));
    this.stop = Math.max(...[run, ...run.others].map(({ stopTime }) => stopTime));
    this.time = this.start;
    this.isPlaying = false;
    this.isLooping = false;
    this.isGrowing = false; // the run goes on: its end is waited for
    this.speed = speedFor(this.stop - this.start);
  }

  /** Goes on with another run, at the same time where it has that. */
  setRun(run) {
    this.run = run;
    this.start = run.startTime;
    this.stop = run.stopTime;
    this.setTime(this.time);
  }

  /** Takes in what a run has got since. */
  extend() {
    this.start = this.run.startTime;
    this.stop = this.run.stopTime;
  }

  /** Shows a time, kept within the run. */
  setTime(time) {
    if (!Number.isFinite(time)) return;
    this.time = Math.max(this.start, Math.min(this.stop, time));
    this.emit("time", this.time);
  }

  setSpeed(speed) {
    this.speed = Math.max(speeds[0], Math.min(speeds.at(-1), speed));
    this.emit("state");
  }

  /** The next slower (-1) or faster (+1) speed of the list. */
  changeSpeed(direction) {
    const next = direction > 0 ? speeds.find((speed) => speed > this.speed * 1.001) : speeds.findLast((speed) => speed < this.speed * 0.999);
    if (next) this.setSpeed(next);
  }

  setLooping(isLooping) {
    this.isLooping = isLooping;
    this.emit("state");
  }

  play() {
    if (this.stop <= this.start) return;
    if (this.time >= this.stop && !this.isGrowing) this.setTime(this.start);
    this.isPlaying = true;
    this.emit("state");
  }

  pause() {
    this.isPlaying = false;
    this.emit("state");
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Goes on by `seconds` of the viewer's time. */
  advance(seconds) {
    const next = this.time + seconds * this.speed;
    if (next < this.stop) return this.setTime(next);
    if (this.isGrowing) return this.setTime(this.stop);
    if (this.isLooping) return this.setTime(this.start + ((next - this.start) % (this.stop - this.start)));
    this.setTime(this.stop);
    this.pause();
  }

  /** To the next (+1) or last (-1) output point with another time. */
  stepFrame(direction) {
    this.pause();
    const { run } = this;
    let row = run.rowBefore(this.time);
    const margin = rounding * Math.abs(this.time - run.timeOrigin);
    if (direction > 0) {
      while (row < run.rowCount - 1 && run.timeAt(row) <= this.time + margin) row++;
    } else {
      while (row > 0 && run.timeAt(row) >= this.time - margin) row--;
    }
    this.setTime(run.timeAt(Math.max(0, row)));
  }

  /** To the next (+1) or last (-1) event; stays when there is none. */
  stepEvent(direction) {
    this.pause();
    const margin = 1e-9 * (this.stop - this.start);
    const { events } = this.run;
    const event = direction > 0
      ? events.find(({ time }) => time > this.time + margin)
      : events.findLast(({ time }) => time < this.time - margin);
    if (event) this.setTime(event.time);
    return event;
  }
}

/** 1, or slower where the run would be over before one has seen it. */
export function speedFor(duration) {
  if (!(duration > 0)) return 1;
  return speeds.findLast((speed) => speed <= 1 && duration / speed >= shortestShow) ?? speeds[0];
}

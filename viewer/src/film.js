// A film of the animation, recorded in the page: the run is played once from the time shown to its end, and what is drawn
// becomes a WebM file.
import { iconButton, setIcon } from "./dom.js";
import { download } from "./download.js";

const kinds = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
const bitsPerPixel = 0.14; // and frame
const frameRate = 30;

/** What this browser can record; undefined: nothing. */
function recordedKind() {
  return typeof MediaRecorder === "undefined" ? undefined : kinds.find((kind) => MediaRecorder.isTypeSupported(kind));
}

export class FilmButton {
  #recorder = null;

  constructor(stage, clock, title) {
    Object.assign(this, { stage, clock, title });
    this.kind = recordedKind();
    this.button = iconButton("film", "Record a film (WebM) of the animation from here on", () => this.toggle(), { id: "record-film", "aria-pressed": "false", disabled: this.kind === undefined });
    clock.on("state", () => {
      if (this.#recorder && !clock.isPlaying) this.#stop();
    });
  }

  get isRecording() {
    return this.#recorder !== null;
  }

  toggle() {
    if (this.#recorder) this.clock.pause(); // which ends the film
    else this.#start();
  }

  #start() {
    const { canvas } = this.stage, { clock } = this;
    const stream = canvas.captureStream(frameRate);
    const pieces = [];
    const recorder = new MediaRecorder(stream, { mimeType: this.kind, videoBitsPerSecond: Math.round(bitsPerPixel * frameRate * canvas.width * canvas.height) });
    recorder.addEventListener("dataavailable", ({ data }) => data.size > 0 && pieces.push(data));
    recorder.addEventListener("stop", () => {
      for (const track of stream.getTracks()) track.stop();
      download(new Blob(pieces, { type: "video/webm" }), `${this.title}.webm`);
    });
    this.wasLooping = clock.isLooping;
    clock.setLooping(false); // else it would never end
    clock.play();
    recorder.start();
    this.stage.invalidate(); // the first frame
    this.#recorder = recorder;
    this.#show();
  }

  #stop() {
    const recorder = this.#recorder;
    this.#recorder = null;
    this.clock.setLooping(this.wasLooping);
    this.stage.draw(); // the last frame
    setTimeout(() => recorder.stop(), 2000 / frameRate);
    this.#show();
  }

  #show() {
    this.button.setAttribute("aria-pressed", String(this.isRecording));
    setIcon(this.button, this.isRecording ? "stop" : "film", this.isRecording ? "End the film" : "Record a film (WebM) of the animation from here on");
  }
}

// Unpacks the script of a play page and runs it. The policy of the page names its hash, so that no other one can.
import { decodeBase91 } from "./base91.js";
import { unpack } from "./unpack.js";

const packed = document.getElementById("carom-script");
globalThis.caromFrame = document.getElementById("app").outerHTML; // before anything is in it: save_page.js
unpack(packed.textContent, decodeBase91).then((bytes) => {
  const text = new TextDecoder().decode(bytes);
  const script = document.createElement("script");
  script.textContent = text;
  document.body.append(script);
  script.remove(); // it has run
});

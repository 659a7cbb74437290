// Pictures of the page, to be looked at.
import { join } from "node:path";
import { bouncing, crowd, gallery } from "./fixture.mjs";

const shots = [
  ["light", bouncing, { viewport: { width: 1400, height: 860 }, hash: "#fine=1&time=1.2&trails=1" }],
  ["dark", bouncing, { viewport: { width: 1400, height: 860 }, hash: "#fine=1&time=1.2&theme=dark&select=ball&trails=1" }],
  ["phone", bouncing, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true, hash: "#fine=1&time=1.2" }],
  ["shapes", gallery, { viewport: { width: 1400, height: 860 }, hash: "#fine=1&time=5.5&page=objects" }],
  ["crowd", crowd, { viewport: { width: 1400, height: 860 }, hash: "#fine=1&time=2&page=contacts" }],
];

export async function takePictures(open, folder) {
  for (const [name, make, settings] of shots) {
    const page = await open(name, make(), settings);
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `${name}.png`), timeout: 120000 });
    await page.context().close();
  }
}

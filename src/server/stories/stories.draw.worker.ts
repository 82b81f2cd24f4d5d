// The child process of stories.draw.ts. Its input is hostile.
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import sharp from "sharp";
import {
  imageHeightMax,
  imagePixelsMax,
  imageWidthMax,
  thumbHeight,
  thumbWidth,
} from "../../contract/limits.ts";
import type { Drawn } from "./stories.draw.ts";

const niceness = 10;
if (process.platform === "linux") {
  setPriority(niceness);
  // The first victim when memory ends.
  writeFileSync("/proc/self/oom_score_adj", "1000");
}

sharp.cache(false);
sharp.concurrency(1);
// Other formats, SVG above all, are not even parsed.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((kind) => `VipsForeignLoad${kind}`),
});

const quality = 82;
/** AVIF is named by its container. */
const formats = ["jpeg", "png", "webp", "gif", "heif"];

/** Draws the first frame upright, in sRGB, without metadata. */
async function draw(bytes: Uint8Array): Promise<Drawn> {
  const picture = sharp(bytes, { limitInputPixels: imagePixelsMax, failOn: "error", pages: 1 });
  const { format } = await picture.metadata();
  if (!formats.includes(format)) throw new Error(`a picture of the format ${format}`);
  const whole = await picture
    .autoOrient()
    .resize({ width: imageWidthMax, height: imageHeightMax, fit: "inside", withoutEnlargement: true })
    .webp({ quality })
    .toBuffer({ resolveWithObject: true });
  const thumb = await sharp(whole.data)
    .resize({ width: thumbWidth, height: thumbHeight, fit: "cover" })
    .webp({ quality })
    .toBuffer();
  return { whole: whole.data, thumb, width: whole.info.width, height: whole.info.height };
}

process.once("disconnect", () => process.exit());
process.once("message", (bytes: Uint8Array) => {
  draw(bytes).then(
    (drawn) => process.send?.(drawn),
    (fault: unknown) => process.send?.({ failed: String(fault) }),
  );
});

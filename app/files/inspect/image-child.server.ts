// Imported in the watching thread too, since otherwise it would be unloaded while its own threads still run.
import sharp from "sharp";
import { runWatchedJob } from "../child-process.server.ts";
import type { DocumentAnswer } from "./document-child.server.ts";
import type { ImageJob } from "./open-image.server.ts";
import type { SquareAnswer, SquareJob } from "./render-square.server.ts";

sharp.cache(false);
// Only the readers of checked formats are enabled, since each one is a security risk.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadPngBuffer", "VipsForeignLoadJpegBuffer", "VipsForeignLoadWebpBuffer"],
});

/** The answer of the child process about one image. */
export type ImageAnswer = DocumentAnswer | SquareAnswer;

await runWatchedJob<ImageAnswer>(import.meta.filename, async (job: ImageJob | SquareJob) => {
  if ("bytes" in job) {
    const { renderSquare } = await import("./render-square.server.ts");
    return renderSquare(job);
  }
  const { inspectOpenImage } = await import("./open-image.server.ts");
  return { finding: await inspectOpenImage(job) };
});

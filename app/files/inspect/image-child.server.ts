// Imported in the watching thread too, since otherwise it would be unloaded while its own threads still run.
import sharp from "sharp";
import { runWatchedJob } from "../child-process.server.ts";
import type { DocumentAnswer } from "./document-child.server.ts";
import type { ImageJob } from "./open-image.server.ts";

sharp.cache(false);
// Only the readers of checked formats are enabled, since each one is a security risk.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadPngBuffer", "VipsForeignLoadJpegBuffer"] });

await runWatchedJob<DocumentAnswer>(import.meta.filename, async (job: ImageJob) => {
  const { inspectOpenImage } = await import("./open-image.server.ts");
  return { finding: await inspectOpenImage(job) };
});

// Also for the thread that watches: with the other alone it would be unloaded while its own threads still run.
import sharp from "sharp";
import { runWatchedJob } from "../child-process.server.ts";
import type { RenderAnswer, RenderJob } from "./render-file.server.ts";

// A cache of one picture would only take memory from the next.
sharp.cache(false);
// Only rendered formats can be read: each further reader is a security risk.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadPngFile", "VipsForeignLoadJpegFile"] });

await runWatchedJob<RenderAnswer>(import.meta.filename, async (job: RenderJob, report) => {
  // Imported here, since the watching thread starts faster without the engine.
  const { renderFile } = await import("./render-file.server.ts");
  return renderFile(job, report);
});

// Imported in the watching thread too, since otherwise it would be unloaded while its own threads still run.
import sharp from "sharp";
import { runWatchedJob } from "../child-process.server.ts";
import type { RenderAnswer, RenderJob } from "./render-file.server.ts";

// Pictures don't repeat, so a cache would only waste memory.
sharp.cache(false);
// Only the readers of rendered formats are enabled, since each one is a security risk.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadPngFile",
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadJpegFile",
    "VipsForeignLoadJpegBuffer",
  ],
});

await runWatchedJob<RenderAnswer>(import.meta.filename, async (job: RenderJob, report) => {
  // Imported here, since the watching thread starts faster without the engine.
  const { renderFile } = await import("./render-file.server.ts");
  return renderFile(job, report);
});

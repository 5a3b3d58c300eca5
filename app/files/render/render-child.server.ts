// Also for the thread that watches: with the other alone it would be unloaded while its own threads still run.
import sharp from "sharp";
import { runWatchedJob } from "../child-process.server.ts";
import type { RenderAnswer, RenderJob } from "./render-file.server.ts";

// What it kept of one picture would only take memory from the next.
sharp.cache(false);
// Of what it can read, only what is rendered: every other reader is a way in.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadPngFile", "VipsForeignLoadJpegFile"] });

await runWatchedJob<RenderAnswer>(import.meta.filename, async (job: RenderJob, report) => {
  // Only here: the watching thread would be slower to start with the engine.
  const { renderFile } = await import("./render-file.server.ts");
  return renderFile(job, report);
});

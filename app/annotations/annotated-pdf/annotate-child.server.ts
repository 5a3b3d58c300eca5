// Also for the thread that watches: with the other alone it would be unloaded while its own threads still run.
import sharp from "sharp";
import { runWatchedJob } from "../../files/child-process.server.ts";
import type { AnnotateAnswer, AnnotateJob } from "./annotate-job.ts";

// What it kept of one picture would only take memory from the next.
sharp.cache(false);
// Of what it can read, only what is stored here: every other reader is a way in.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadPngFile",
    "VipsForeignLoadJpegFile",
    "VipsForeignLoadWebpFile",
    "VipsForeignLoadNsgifFile",
  ],
});

await runWatchedJob<AnnotateAnswer>(import.meta.filename, async (job: AnnotateJob) => {
  // Only here: the watching thread would take twice as long to start with all that writes documents.
  const { writeAnnotatedPdf } = await import("./make-annotated.server.ts");
  return writeAnnotatedPdf(job);
});

// Also for the thread that watches: with the other alone it would be unloaded while its own threads still run.
import sharp from "sharp";
import { runWatchedJob } from "../../files/child-process.server.ts";
import type { AnnotateAnswer, AnnotateJob } from "./annotate-job.ts";

// A cache of one picture would only take memory from the next.
sharp.cache(false);
// Only stored formats can be read: each further reader is a security risk.
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
  // Imported here, since the watching thread would take twice as long to start with the PDF writer.
  const { writeAnnotatedPdf } = await import("./make-annotated.server.ts");
  return writeAnnotatedPdf(job);
});

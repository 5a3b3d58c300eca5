// The watching thread imports it too: otherwise it is unloaded while its own threads still run.
import sharp from "sharp";
import { runWatchedJob } from "../../files/child-process.server.ts";
import type { AnnotateAnswer, AnnotateJob } from "./annotate-job.ts";

// Pictures are read once, so a cache only wastes memory.
sharp.cache(false);
// Blocks all decoders except those for stored formats, since each one is a security risk.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadPngFile",
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadJpegFile",
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadWebpFile",
    "VipsForeignLoadNsgifFile",
  ],
});

await runWatchedJob<AnnotateAnswer>(import.meta.filename, async (job: AnnotateJob) => {
  // Imported late: with the PDF writer, the watching thread takes twice as long to start.
  const { writeAnnotatedPdf } = await import("./make-annotated.server.ts");
  return writeAnnotatedPdf(job);
});

import sharp from "sharp";
import { doWatched } from "../../files/child/watched-work.server.ts";
import type { AnnotateAnswer } from "./annotate-job.ts";
import { makeAnnotated } from "./make-annotated.server.ts";

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

await doWatched<AnnotateAnswer>(import.meta.filename, makeAnnotated);

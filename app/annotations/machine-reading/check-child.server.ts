import { runWatchedJob } from "../../files/child-process.server.ts";
import type { FileCheckAnswer, FileCheckJob } from "./check-file.server.ts";

await runWatchedJob<FileCheckAnswer>(import.meta.filename, async (job: FileCheckJob) => {
  // Imported here, so that the watching thread starts without the engine.
  const { checkFile } = await import("./check-file.server.ts");
  return checkFile(job);
});

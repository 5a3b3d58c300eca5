import { resolve } from "node:path";
import { getBuiltProgram } from "../../../app/files/child-process.server.ts";

const built = (source: string) => resolve("build/server", getBuiltProgram(source));

/**
 * The built programs that inspect, render and write files, for tests that start them dozens of times. Starting from
 * the sources would load all modules each time.
 */
export const builtPrograms = {
  documents: built("app/files/inspect/document-child.server.ts"),
  renderer: built("app/files/render/render-child.server.ts"),
  fileChecks: built("app/annotations/machine-reading/check-child.server.ts"),
  annotator: built("app/annotations/annotated-pdf/annotate-child.server.ts"),
};

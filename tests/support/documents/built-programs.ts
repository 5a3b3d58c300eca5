import { resolve } from "node:path";
import { getBuiltProgram } from "../../../app/files/child-process.server.ts";

const built = (source: string) => resolve("build/server", getBuiltProgram(source));

/**
 * What looks at files, renders them and writes into them, as it runs in operation, for tests that start it
 * dozens of times: from the sources each start reads all of its modules anew.
 */
export const builtPrograms = {
  documents: built("app/files/inspect/document-child.server.ts"),
  renderer: built("app/files/render/render-child.server.ts"),
  annotator: built("app/annotations/annotated-pdf/annotate-child.server.ts"),
};

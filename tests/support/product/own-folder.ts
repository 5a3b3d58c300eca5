import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { whenFileEnds } from "./when-file-ends.ts";

/**
 * An empty folder for a file of tests, which is removed with all that is in it.
 *
 * @param until when: once the file is over, or with `onTestFinished` the test
 */
export function ownFolder(until: (end: () => void) => void = whenFileEnds): string {
  const folder = mkdtempSync(join(tmpdir(), "naksha-folder-"));
  until(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

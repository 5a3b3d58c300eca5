import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { whenFileEnds } from "./when-file-ends.ts";

/**
 * Creates an empty folder and removes it after the tests.
 *
 * @param until registers the removal: after the file, or with `onTestFinished` after the test
 */
export function ownFolder(until: (end: () => void) => void = whenFileEnds): string {
  const folder = mkdtempSync(join(tmpdir(), "naksha-folder-"));
  until(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

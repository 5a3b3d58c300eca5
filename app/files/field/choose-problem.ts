import { flaws } from "../inspect/finding.ts";
import {
  extensionOf,
  mimeTypes,
  nameProblem,
  sizeProblem,
  typeProblem,
  type UploadProblem,
  type UploadPurpose,
  uploadRules,
} from "../rules.ts";

/** What is plainly wrong with a chosen file; the server looks at its content as well. */
export function chooseProblem(
  purpose: UploadPurpose,
  { name, type, size }: { name: string; type: string; size: number },
): UploadProblem | null {
  if (size === 0) return typeProblem(purpose, flaws.empty);
  if (extensionOf(name) === null && !mayBe(purpose, type)) return typeProblem(purpose);
  return nameProblem(purpose, name) ?? sizeProblem(purpose, size);
}

function mayBe(purpose: UploadPurpose, type: string): boolean {
  const { kinds } = uploadRules[purpose];
  return !kinds || type === "" || kinds.some((kind) => mimeTypes[kind] === type);
}

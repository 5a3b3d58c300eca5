import { flaws } from "./finding.ts";
import {
  type FileKind,
  mimeTypes,
  sizeProblem,
  typeProblem,
  type UploadProblem,
  type UploadPurpose,
  uploadRules,
} from "./rules.ts";

const kindsByExtension: Readonly<Record<string, FileKind>> = {
  pdf: "pdf",
  doc: "doc",
  docx: "docx",
  png: "png",
  jpg: "jpg",
  jpeg: "jpg",
  webp: "webp",
  gif: "gif",
};

/** What is plainly wrong with a chosen file; the server looks at its content as well. */
export function chooseProblem(
  purpose: UploadPurpose,
  file: { name: string; type: string; size: number },
): UploadProblem | null {
  if (file.size === 0) return typeProblem(purpose, flaws.empty);
  const { kinds } = uploadRules[purpose];
  if (kinds && !mayBe(kinds, file)) return typeProblem(purpose);
  return sizeProblem(purpose, file.size);
}

function mayBe(
  kinds: readonly FileKind[],
  { name, type }: { name: string; type: string },
): boolean {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  if (extension) return kinds.some((kind) => kind === kindsByExtension[extension]);
  return type === "" || kinds.some((kind) => mimeTypes[kind] === type);
}

import { type FileHandle, open } from "node:fs/promises";
import { fileTypeFromBuffer } from "file-type";
import {
  type FileKind,
  mimeTypes,
  buildTypeProblem,
  type UploadProblem,
  type UploadPurpose,
  uploadRules,
} from "../rules.ts";
import type { DocumentJob } from "./document.server.ts";
import { type Finding, fileProblems } from "../finding.ts";
import type { ImageJob } from "./open-image.server.ts";
import { detectImageKind, inspectImage, readAt } from "./image.server.ts";

/** `extension` has no dot. The stored name must use it instead of the user's extension. */
export type CheckedContent =
  | {
      ok: true;
      mimeType: string;
      extension: string;
      /** True if a browser may show it, since it contains nothing that runs. */
      showable: boolean;
      /** The position after the pixels of an image, if the file doesn't say it. */
      end?: number;
    }
  | ({ ok: false } & UploadProblem);

/** Inspects a document, or an image without an end, in its own process. */
type InspectDocument = (job: DocumentJob | ImageJob) => Promise<Finding | null>;

const headSize = 4100;
const unknownHeadSize = 64 * 1024;
/** PDF readers search for the signature in this range. */
const pdfSignatureRange = 1024;
/** The first bytes of an OLE compound file ([MS-CFB]). */
const compoundSignature = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** The kinds that browsers may show. */
const shownKinds: readonly FileKind[] = ["pdf", "png", "jpg", "webp", "gif"];

/**
 * Checks by its bytes whether a local file is allowed for its purpose. `findSizeProblem` checks the size and
 * `findNameProblem` the extension.
 */
export async function checkContent(
  purpose: UploadPurpose,
  path: string,
  originalName: string,
  inspectDocument: InspectDocument,
): Promise<CheckedContent> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size === 0) return { ok: false, ...buildTypeProblem(purpose, fileProblems.empty) };
    const head = await readAt(file, 0, headSize);
    const image = detectImageKind(head);
    const document = image ? null : detectDocumentKind(head);
    let finding: Finding | null = null;
    if (image) {
      const { pixels, ...inspected } = await inspectImage(file, size, image);
      finding =
        pixels === undefined ? inspected : await inspectDocument({ kind: image, path, pixels });
    }
    if (document) finding = await inspectDocument({ kind: document, path, originalName });

    const { kinds } = uploadRules[purpose];
    if (!kinds) return finding ? toCheckedContent(finding) : await checkOtherType(file);
    if (!finding || !kinds.includes(finding.kind))
      return { ok: false, ...buildTypeProblem(purpose) };
    if (finding.problem) return { ok: false, ...buildTypeProblem(purpose, finding.problem) };
    return toCheckedContent(finding);
  } finally {
    await file.close();
  }
}

/** Detects the kind by the first bytes, even if the file could be read as another type too. */
function detectDocumentKind(head: Buffer): DocumentJob["kind"] | null {
  if (head.toString("latin1", 0, 4) === "PK\x03\x04") return "docx";
  if (head.subarray(0, 8).equals(compoundSignature)) return "doc";
  return head.subarray(0, pdfSignatureRange).includes("%PDF-") ? "pdf" : null;
}

function toCheckedContent({ kind, problem, active, end }: Finding): CheckedContent {
  const showable = shownKinds.includes(kind) && !problem && !active;
  const type = { mimeType: mimeTypes[kind], extension: kind };
  return { ok: true, ...type, showable, ...(end !== undefined && { end }) };
}

async function checkOtherType(file: FileHandle): Promise<CheckedContent> {
  const type = await fileTypeFromBuffer(await readAt(file, 0, unknownHeadSize));
  return {
    ok: true,
    mimeType: type?.mime ?? "application/octet-stream",
    extension: type?.ext ?? "bin",
    showable: false,
  };
}

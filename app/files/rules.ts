/** What may be uploaded, for which purpose, and the words with which a file is refused. */

export const buckets = ["resumes", "portfolios", "review-images", "review-files"] as const;
export type Bucket = (typeof buckets)[number];

export const uploadPurposes = ["resume", "portfolio", "review-image", "review-file"] as const;
export type UploadPurpose = (typeof uploadPurposes)[number];

export type FileKind = "pdf" | "doc" | "docx" | "png" | "jpg" | "webp" | "gif";

/** Why a file is refused, in the words of the notice that is shown. */
export type UploadProblem = { title: string; description: string };

export type UploadRule = {
  bucket: Bucket;
  /** In bytes; a file of exactly this size is accepted. */
  maxBytes: number;
  /** Null means: any type. */
  kinds: readonly FileKind[] | null;
  /** The `accept` attribute of the file input. */
  accept: string | undefined;
  tooLarge: UploadProblem;
  wrongType: UploadProblem;
  /** Whether a reason follows the sentence about the type, or stands in its place. */
  reasons: "added" | "instead";
};

const megabyte = 1_048_576;

export const mimeTypes: Readonly<Record<FileKind, string>> = {
  pdf: "application/pdf",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
};

export const uploadRules: Readonly<Record<UploadPurpose, UploadRule>> = {
  resume: {
    bucket: "resumes",
    maxBytes: 10 * megabyte,
    kinds: ["pdf", "doc", "docx"],
    accept: accept(["pdf", "doc", "docx"]),
    tooLarge: {
      title: "File too large",
      description: "Please upload a file smaller than 10MB",
    },
    wrongType: {
      title: "Invalid file type",
      description: "Please upload a PDF or Word document",
    },
    reasons: "added",
  },
  portfolio: {
    bucket: "portfolios",
    maxBytes: 50 * megabyte,
    kinds: ["pdf", "png", "jpg"],
    accept: accept(["pdf", "png", "jpg"]),
    tooLarge: {
      title: "File too large",
      description: "Please upload a file smaller than 50MB",
    },
    wrongType: {
      title: "Invalid file type",
      description: "Please upload a PDF or image file",
    },
    reasons: "added",
  },
  "review-image": {
    bucket: "review-images",
    maxBytes: 10 * megabyte,
    kinds: ["png", "jpg", "webp", "gif"],
    accept: accept(["png", "jpg", "webp", "gif"]),
    tooLarge: {
      title: "Failed to upload image",
      description: "Please upload a file smaller than 10MB",
    },
    wrongType: {
      title: "Failed to upload image",
      description: "Please upload a PNG, JPEG, WebP or GIF image",
    },
    reasons: "instead",
  },
  "review-file": {
    bucket: "review-files",
    maxBytes: 50 * megabyte,
    kinds: null,
    accept: undefined,
    tooLarge: {
      title: "Failed to upload file",
      description: "Please upload a file smaller than 50MB",
    },
    wrongType: {
      title: "Failed to upload file",
      description: "This file cannot be accepted",
    },
    reasons: "instead",
  },
};

/** The refusal of a file that is too large for its purpose, or null. */
export function sizeProblem(purpose: UploadPurpose, bytes: number): UploadProblem | null {
  const rule = uploadRules[purpose];
  return bytes <= rule.maxBytes ? null : rule.tooLarge;
}

/**
 * The refusal of a file for what it is.
 *
 * @param reason one or more whole sentences, if there is more to say than which types are accepted.
 */
export function typeProblem(purpose: UploadPurpose, reason?: string): UploadProblem {
  const { wrongType, reasons } = uploadRules[purpose];
  if (!reason) return wrongType;
  return {
    title: wrongType.title,
    description: reasons === "added" ? `${wrongType.description}. ${reason}` : reason,
  };
}

/** 2516582 → "2.4 MB" */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  // Below this, a whole number of KB would round up to 1024.
  if (bytes < megabyte - 512) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / megabyte).toFixed(1).replace(/\.0$/, "")} MB`;
}

function accept(kinds: readonly FileKind[]): string {
  const extensions = kinds.flatMap((kind) => (kind === "jpg" ? [".jpg", ".jpeg"] : [`.${kind}`]));
  return [...extensions, ...kinds.map((kind) => mimeTypes[kind])].join(",");
}

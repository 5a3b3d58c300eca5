/** The rules for uploads by purpose, and the messages for refused files. */

export const buckets = ["resumes", "portfolios", "review-images", "review-files"] as const;
export type Bucket = (typeof buckets)[number];

/**
 * Storage areas: the buckets, and "derived" for files that can be made again, which no address serves and no
 * backup contains.
 */
export const areas = [...buckets, "derived"] as const;
export type Area = (typeof areas)[number];

export const uploadPurposes = ["resume", "portfolio", "review-image", "review-file"] as const;
export type UploadPurpose = (typeof uploadPurposes)[number];

export type FileKind = "pdf" | "doc" | "docx" | "png" | "jpg" | "webp" | "gif";

/** Why a file is refused, in the words of the notice that is shown. */
export type UploadProblem = { title: string; description: string };

/** The upload limits of one account. */
export type UploadAllowance = {
  /** Uploads started within an hour and within a day. */
  perHour: number;
  perDay: number;
  /** The limit for files that are not part of a paid review; `heldBytes` includes files under way. */
  heldFiles: number;
  heldBytes: number;
};

type UploadRule = {
  bucket: Bucket;
  /** In bytes; a file of exactly this size is accepted. */
  maxBytes: number;
  /** Null means: any type. */
  kinds: readonly FileKind[] | null;
  /** The kinds in words: "PDF or Word document". */
  types: string;
  /** The `accept` attribute of the file input. */
  accept: string | undefined;
  tooLarge: UploadProblem;
  wrongType: UploadProblem;
  allowance: UploadAllowance;
  /** Whether a reason is added to the sentence about the type, or replaces it. */
  reasons: "added" | "instead";
};

const megabyte = 1_048_576;

/** Both drafts of a resume and of a portfolio fit well, each replaced a few times. */
const customers: UploadAllowance = {
  perHour: 60,
  perDay: 150,
  heldFiles: 60,
  heldBytes: 500 * megabyte,
};

/** Staff attachments belong to a paid review at once. Only removed ones count. */
const staff: UploadAllowance = {
  perHour: 120,
  perDay: 600,
  heldFiles: 300,
  heldBytes: 2000 * megabyte,
};

export const uploadedTooMuch = {
  today: "You have uploaded as many files as one account may in a day. Please go on tomorrow.",
  held: "You have uploaded as much as one account may without paying for a review. Files that you replaced or removed make room again within two days.",
} as const;

export const mimeTypes: Readonly<Record<FileKind, string>> = {
  pdf: "application/pdf",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
};

const names: Readonly<Record<FileKind, string>> = {
  pdf: "PDF",
  doc: "Word document",
  docx: "Word document",
  png: "PNG",
  jpg: "JPEG",
  webp: "WebP",
  gif: "GIF",
};

export const uploadRules: Readonly<Record<UploadPurpose, UploadRule>> = {
  resume: createUploadRule({
    bucket: "resumes",
    maxBytes: 10 * megabyte,
    kinds: ["pdf", "doc", "docx"],
    allowance: customers,
    reasons: "added",
  }),
  portfolio: createUploadRule({
    bucket: "portfolios",
    maxBytes: 50 * megabyte,
    kinds: ["pdf", "png", "jpg"],
    wanted: "Please upload a PDF or image file",
    allowance: customers,
    reasons: "added",
  }),
  "review-image": createUploadRule({
    bucket: "review-images",
    maxBytes: 10 * megabyte,
    kinds: ["png", "jpg", "webp", "gif"],
    wanted: "Please upload a PNG, JPEG, WebP or GIF image",
    failed: "Failed to upload image",
    allowance: staff,
    reasons: "instead",
  }),
  "review-file": createUploadRule({
    bucket: "review-files",
    maxBytes: 50 * megabyte,
    kinds: null,
    wanted: "This file cannot be accepted",
    failed: "Failed to upload file",
    allowance: staff,
    reasons: "instead",
  }),
};

/** Creates an upload rule with the texts that state its limits. */
function createUploadRule({
  wanted,
  failed,
  ...own
}: Omit<UploadRule, "types" | "accept" | "tooLarge" | "wrongType"> & {
  /** The message for a file of another type, where it is more than the list of types. */
  wanted?: string;
  /** The title over every refusal, where that does not depend on what is wrong. */
  failed?: string;
}): UploadRule {
  const size = formatBytes(own.maxBytes).replace(" ", "");
  const types = own.kinds
    ? formatAlternatives(own.kinds.map((kind) => names[kind]))
    : "file of any type";
  return {
    ...own,
    types,
    accept: own.kinds ? accept(own.kinds) : undefined,
    tooLarge: {
      title: failed ?? "File too large",
      description: `Please upload a file smaller than ${size}`,
    },
    wrongType: {
      title: failed ?? "Invalid file type",
      description: wanted ?? `Please upload a ${types}`,
    },
  };
}

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

const extensionPattern = /\.([A-Za-z0-9]{1,10})$/;

/** The refusal of a file whose name says that it is something else, or null. A name may say nothing. */
export function findNameProblem(purpose: UploadPurpose, name: string): UploadProblem | null {
  const { kinds } = uploadRules[purpose];
  const extension = extractExtension(name);
  if (!kinds || extension === null) return null;
  return kinds.some((kind) => kind === kindsByExtension[extension])
    ? null
    : buildTypeProblem(purpose);
}

/**
 * The name under which a file is downloaded: with the extension of what it is, so that it opens.
 *
 * @param extension of the type that was found in the bytes, without a dot
 */
export function downloadName(purpose: UploadPurpose, name: string, extension: string): string {
  const named = extractExtension(name);
  const claimed = named && kindsByExtension[named];
  if (claimed === extension) return name;
  if (claimed) return name.replace(extensionPattern, `.${extension}`);
  return uploadRules[purpose].kinds ? `${name}.${extension}` : name;
}

/** The extension in small letters and without a dot; null without one. */
export function extractExtension(name: string): string | null {
  return extensionPattern.exec(name)?.[1]?.toLowerCase() ?? null;
}

/** The refusal of a file that is too large for its purpose, or null. */
export function findSizeProblem(purpose: UploadPurpose, bytes: number): UploadProblem | null {
  const rule = uploadRules[purpose];
  return bytes <= rule.maxBytes ? null : rule.tooLarge;
}

/**
 * The refusal of a file for what it is.
 *
 * @param reason one or more whole sentences, if there is more to say than which types are accepted.
 */
export function buildTypeProblem(purpose: UploadPurpose, reason?: string): UploadProblem {
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

/** ["PDF", "PNG", "JPEG"] → "PDF, PNG or JPEG"; what stands twice is said once. */
export function formatAlternatives(words: readonly string[]): string {
  const all = [...new Set(words)];
  const last = all.pop() ?? "";
  return all.length > 0 ? `${all.join(", ")} or ${last}` : last;
}

function accept(kinds: readonly FileKind[]): string {
  const extensions = kinds.flatMap((kind) => (kind === "jpg" ? [".jpg", ".jpeg"] : [`.${kind}`]));
  return [...extensions, ...kinds.map((kind) => mimeTypes[kind])].join(",");
}

/**
 * Returns the address of a stored file: "/storage/<bucket>/<path>". Tables store only the bucket and the path.
 * Paths need no escaping except for letters of other scripts.
 */
export function getFileAddress(bucket: Bucket, path: string): string {
  return `/storage/${bucket}/${path}`;
}

/** The bucket and path that such an address names; null for any other address. */
export function readFileAddress(address: string): { bucket: Bucket; path: string } | null {
  const [, name, path] = /^\/storage\/([^/]+)\/(.+)$/s.exec(address) ?? [];
  const bucket = buckets.find((known) => known === name);
  return bucket && path ? { bucket, path } : null;
}

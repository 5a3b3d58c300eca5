/** The rules for uploads by purpose, and the messages for refused files. */

export const buckets = ["resumes", "portfolios", "review-images", "review-files"] as const;
export type Bucket = (typeof buckets)[number];

/** Storage areas: the buckets, and "derived" for files we can recreate. Backups leave "derived" out. */
export const areas = [...buckets, "derived"] as const;
export type Area = (typeof areas)[number];

export const uploadPurposes = ["resume", "portfolio", "review-image", "review-file"] as const;
export type UploadPurpose = (typeof uploadPurposes)[number];

export type FileKind = "pdf" | "doc" | "docx" | "png" | "jpg" | "webp" | "gif";

/** The notice that says why a file was refused. */
export type UploadProblem = { title: string; description: string };

/** The upload limits of one account. */
export type UploadAllowance = {
  /** Limits for uploads started within an hour and within a day. */
  perHour: number;
  perDay: number;
  /** Limits for files that aren't part of a paid review. `heldBytes` includes uploads in progress. */
  heldFiles: number;
  heldBytes: number;
};

type UploadRule = {
  bucket: Bucket;
  /** In bytes. A file of exactly this size is accepted. */
  maxBytes: number;
  /** Null accepts any type. */
  kinds: readonly FileKind[] | null;
  /** The accepted types as text: "PDF or Word document". */
  types: string;
  /** The `accept` attribute of the file input. */
  accept: string | undefined;
  tooLarge: UploadProblem;
  wrongType: UploadProblem;
  allowance: UploadAllowance;
  /** Decides if a reason is added to the sentence about the type or replaces it. */
  reasons: "added" | "instead";
};

const megabyte = 1_048_576;

/** Leaves room for a resume draft and a portfolio draft, each replaced a few times. */
const customers: UploadAllowance = {
  perHour: 60,
  perDay: 150,
  heldFiles: 60,
  heldBytes: 500 * megabyte,
};

/** Staff attachments belong to a paid review from the start, so only removed ones count. */
const staff: UploadAllowance = {
  perHour: 120,
  perDay: 600,
  heldFiles: 300,
  heldBytes: 2000 * megabyte,
};

export const uploadedTooMuch = {
  today: "You've reached today's upload limit. Please try again tomorrow.",
  held: "You've reached the upload limit for files outside paid reviews. Files you replaced or removed free up space within two days.",
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
    expected: "Please upload a PDF or image file",
    allowance: customers,
    reasons: "added",
  }),
  "review-image": createUploadRule({
    bucket: "review-images",
    maxBytes: 10 * megabyte,
    kinds: ["png", "jpg", "webp", "gif"],
    expected: "Please upload a PNG, JPEG, WebP or GIF image",
    failed: "Failed to upload image",
    allowance: staff,
    reasons: "instead",
  }),
  "review-file": createUploadRule({
    bucket: "review-files",
    maxBytes: 50 * megabyte,
    kinds: null,
    expected: "We can't accept this file",
    failed: "Failed to upload file",
    allowance: staff,
    reasons: "instead",
  }),
};

/** Creates an upload rule with the texts that state its limits. */
function createUploadRule({
  expected,
  failed,
  ...own
}: Omit<UploadRule, "types" | "accept" | "tooLarge" | "wrongType"> & {
  /** The message for a file of another type. The default lists the accepted types. */
  expected?: string;
  /** The title of every refusal. By default it depends on the problem. */
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
      description: expected ?? `Please upload a ${types}`,
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

/** Returns the refusal for a file whose extension is not accepted, or null. A name may have no extension. */
export function findNameProblem(purpose: UploadPurpose, name: string): UploadProblem | null {
  const { kinds } = uploadRules[purpose];
  const extension = extractExtension(name);
  if (!kinds || extension === null) return null;
  return kinds.some((kind) => kind === kindsByExtension[extension])
    ? null
    : buildTypeProblem(purpose);
}

/**
 * Returns the name a file is downloaded under, with the extension of its real type so that it opens.
 *
 * @param extension of the type detected in the bytes, without a dot
 */
export function downloadName(purpose: UploadPurpose, name: string, extension: string): string {
  const named = extractExtension(name);
  const claimed = named && kindsByExtension[named];
  if (claimed === extension) return name;
  if (claimed) return name.replace(extensionPattern, `.${extension}`);
  return uploadRules[purpose].kinds ? `${name}.${extension}` : name;
}

/** Returns the extension in lower case without the dot, or null. */
export function extractExtension(name: string): string | null {
  return extensionPattern.exec(name)?.[1]?.toLowerCase() ?? null;
}

/** Returns the refusal for a file that is too large for its purpose, or null. */
export function findSizeProblem(purpose: UploadPurpose, bytes: number): UploadProblem | null {
  const rule = uploadRules[purpose];
  return bytes <= rule.maxBytes ? null : rule.tooLarge;
}

/**
 * Builds the refusal for a file of the wrong type.
 *
 * @param reason one or more complete sentences, if there is more to say than the accepted types.
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
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  // Below this, a whole number of KB would round up to 1024.
  if (bytes < megabyte - 512) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / megabyte).toFixed(1).replace(/\.0$/, "")} MB`;
}

/** ["PDF", "PNG", "JPEG"] → "PDF, PNG or JPEG", without duplicates. */
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
 * Only non-Latin letters in a path need escaping.
 */
export function getFileAddress(bucket: Bucket, path: string): string {
  return `/storage/${bucket}/${path}`;
}

/** Returns the bucket and path of a stored file's address, or null for any other address. */
export function readFileAddress(address: string): { bucket: Bucket; path: string } | null {
  const [, name, path] = /^\/storage\/([^/]+)\/(.+)$/s.exec(address) ?? [];
  const bucket = buckets.find((candidate) => candidate === name);
  return bucket && path ? { bucket, path } : null;
}

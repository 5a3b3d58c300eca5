import type { Writable } from "node:stream";
import busboy, { type Busboy } from "busboy";
import { Invalid } from "../../platform/errors.ts";
import { fileProblems } from "../finding.ts";
import { formatBytes } from "../rules.ts";
import { noFileChosen, oneFileOnly } from "../upload-messages.ts";

export const unreadable = "We couldn't read the form. Please try again.";

/** In bytes. Larger forms are read up to this size, so that their senders still get an answer. */
const maxFormBytes = 64 * 1_048_576;

/**
 * Reads the one file of a form into memory, field "file". A file beyond the limit is dropped while it arrives.
 *
 * @param maxBytes the limit for the file
 * @throws {Invalid} without exactly one file, for an empty or too large one, and for a broken form.
 */
export async function readFormFile(
  { headers, body }: Pick<Request, "headers" | "body">,
  maxBytes: number,
): Promise<{ name: string; bytes: Buffer }> {
  if (!body) throw new Invalid({ file: noFileChosen });
  const form = openFileForm(headers.get("content-type") ?? "", maxBytes);
  let chunks: Buffer[] = [];
  let name = "";
  let problem: string | null = null;
  const refuse = (reason: string) => {
    problem ??= reason;
    chunks = [];
    form.destroy();
  };
  form.on("file", (_field, stream, { filename }) => {
    stream.on("error", () => refuse(unreadable));
    if (!filename) return stream.resume();
    name = filename;
    stream.on("data", (chunk: Buffer) => problem === null && chunks.push(chunk));
    stream.once("limit", () => refuse(`This file is larger than ${formatBytes(maxBytes)}.`));
  });
  form.on("filesLimit", () => refuse(oneFileOnly));
  form.on("error", () => refuse(unreadable));
  await pipeToForm(body, form, maxFormBytes).catch(() => refuse(unreadable));
  if (problem === null && name === "") problem = noFileChosen;
  if (problem === null && chunks.length === 0) problem = fileProblems.empty;
  if (problem !== null) throw new Invalid({ file: problem });
  return { name, bytes: Buffer.concat(chunks) };
}

const fileFormType = /^multipart\/form-data\b/i;

/** In bytes. No text of a form with a file may be as long. */
const maxTextBytes = 16 * 1024;

/**
 * Reads a form that may have one file, for `createFormActions`. A file beyond the limit is cut one byte after it, so that
 * its size shows the problem and the form keeps its text. A part of a file that broke off stays, and is damaged.
 *
 * @param maxBytes the limit for the file
 */
export async function readFormWithFile(request: Request, maxBytes: number): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  if (!request.body || !fileFormType.test(type)) return request.formData();
  const fields = new FormData();
  let form: Busboy;
  try {
    form = createFormParser(type, { maxBytes, maxFieldBytes: maxTextBytes });
  } catch {
    return fields;
  }
  form.on("field", (name, value) => fields.append(name, value));
  form.on("file", (field, stream, { filename }) => {
    const chunks: Buffer<ArrayBuffer>[] = [];
    stream.on("data", (chunk: Buffer<ArrayBuffer>) => chunks.push(chunk));
    stream.on("error", () => {});
    stream.once("close", () => {
      if (filename) fields.append(field, new File(chunks, filename));
    });
  });
  form.on("error", () => {});
  await pipeToForm(request.body, form, maxFormBytes).catch(() => {});
  return fields;
}

/** @throws {Invalid} for a form of another type. */
function openFileForm(contentType: string, maxBytes: number): Busboy {
  try {
    return createFormParser(contentType, { maxBytes, maxFieldBytes: 1024 });
  } catch {
    throw new Invalid({ file: unreadable });
  }
}

/**
 * Creates the parser of a form with one file and up to ten other fields.
 *
 * @throws {Error} for a form of another type.
 */
export function createFormParser(
  contentType: string,
  { maxBytes, maxFieldBytes }: { maxBytes: number; maxFieldBytes: number },
): Busboy {
  return busboy({
    headers: { "content-type": contentType },
    defParamCharset: "utf8",
    limits: {
      files: 1,
      fields: 10,
      parts: 12,
      fieldSize: maxFieldBytes,
      headerPairs: 20,
      // One more byte than allowed, to detect a file that is too large.
      fileSize: maxBytes + 1,
    },
  });
}

/**
 * Sends a request's bytes to a form's parser. It reads to the end even after the form is refused, since browsers read
 * the answer only then.
 */
export async function pipeToForm(
  bytes: ReadableStream<Uint8Array>,
  form: Writable,
  maxBytes: number,
): Promise<void> {
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.byteLength;
    if (read > maxBytes) break;
    if (!form.destroyed && !form.write(chunk)) await waitForDrain(form);
  }
  if (!form.destroyed) await waitForEnd(form);
}

function waitForDrain(form: Writable): Promise<void> {
  return new Promise((resolve) => {
    const onReady = () => {
      form.off("drain", onReady).off("close", onReady);
      resolve();
    };
    form.on("drain", onReady).on("close", onReady);
  });
}

function waitForEnd(form: Writable): Promise<void> {
  return new Promise((resolve) => {
    form.once("close", resolve);
    form.end();
  });
}

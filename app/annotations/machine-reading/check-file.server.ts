import { readPdf } from "../../files/inspect/read-pdf.server.ts";
import type { FileReading } from "./file-reading.ts";
import { describeFile } from "./findings.server.ts";

/** A job of the child process, which checks the text of one PDF. */
export type FileCheckJob = {
  bytes: Uint8Array;
  /** True to check the file as rewritten by the engine, after a crash. */
  rewrite?: true;
};

export type FileCheckAnswer =
  | { reading: FileReading }
  /** A complete sentence. `crashed` is true if the engine crashed. */
  | { problem: string; crashed?: true };

/** The limit of pages. A resume has one or two, and a portfolio rarely more than forty. */
const maxPages = 60;

/** Checks what software reads in a resume. */
export async function checkFile({ bytes, rewrite }: FileCheckJob): Promise<FileCheckAnswer> {
  const read = await readPdf(Buffer.from(bytes), { maxPages, rewrite });
  if ("problem" in read) return read;
  return { reading: describeFile("resume", read.pages, bytes.length) };
}

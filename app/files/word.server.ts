import type { FileHandle } from "node:fs/promises";
import {
  type CompoundFile,
  DamagedCompoundFile,
  openCompoundFile,
} from "./compound-file.server.ts";
import { type Finding, flaws } from "./finding.ts";

/** [MS-DOC] 2.5.2: the bit of the file information block that says the document is encrypted. */
const encryptedBit = 0x0100;
const flagsOffset = 10;

/**
 * Whether an open OLE compound file is a Word document: an old one, or a new one inside the
 * container that protects it with a password.
 *
 * @param originalName as the browser gave it
 */
export async function inspectWordContainer(
  file: FileHandle,
  size: number,
  originalName: string,
): Promise<Finding | null> {
  try {
    return await inspect(await openCompoundFile(file, size), originalName);
  } catch (error) {
    if (error instanceof DamagedCompoundFile) return { kind: "doc", flaw: flaws.incomplete };
    throw error;
  }
}

async function inspect(container: CompoundFile, originalName: string): Promise<Finding | null> {
  const find = (name: string) => container.streams.find((stream) => stream.name === name);
  if (find("EncryptedPackage")) {
    // The one thing that only the name tells: whether it is a document or a workbook that is locked.
    const isOther = /\.(?:xls|ppt|vsd|mpp)[a-z]?$/i.test(originalName.trim());
    return isOther ? null : { kind: "docx", flaw: flaws.password };
  }
  const document = find("WordDocument");
  if (!document) return null;
  const start = await container.readStart(document, flagsOffset + 2);
  if (start.length < flagsOffset + 2) return { kind: "doc", flaw: flaws.incomplete };
  const encrypted = start.readUInt16LE(flagsOffset) & encryptedBit;
  return encrypted ? { kind: "doc", flaw: flaws.password } : { kind: "doc" };
}

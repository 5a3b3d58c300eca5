import { readFile } from "node:fs/promises";
import CFB from "cfb";
import { type Finding, flaws } from "./finding.ts";

/** [MS-DOC] 2.5.2: the bit of the file information block that says the document is encrypted. */
const encryptedBit = 0x0100;
const flagsOffset = 10;

/** What lies deeper belongs to embedded documents. */
const root = "Root Entry/";

/** [MS-DOC] 2.1.9: where a document keeps its macros. */
const macroStorage = /\/(?:Macros|_VBA_PROJECT(?:_CUR)?|VBA)\//i;

/**
 * Whether an OLE compound file ([MS-CFB]) is a Word document: an old one, or a new one inside the container that
 * protects it with a password.
 *
 * @param originalName as the browser gave it
 */
export async function inspectWordContainer(
  path: string,
  originalName: string,
): Promise<Finding | null> {
  const container = readContainer(await readFile(path));
  if (!container) return { kind: "doc", flaw: flaws.incomplete };
  const find = (name: string) => container.FileIndex[container.FullPaths.indexOf(root + name)];
  if (find("EncryptedPackage")) {
    // The one thing that only the name tells: whether it is a document or a workbook that is locked.
    const isOther = /\.(?:xls|ppt|vsd|mpp)[a-z]?$/i.test(originalName.trim());
    return isOther ? null : { kind: "docx", flaw: flaws.password };
  }
  const document = find("WordDocument");
  if (!document) return null;
  const start = Buffer.from(document.content ?? []);
  if (start.length < Math.max(document.size, flagsOffset + 2)) {
    return { kind: "doc", flaw: flaws.incomplete };
  }
  if (start.readUInt16LE(flagsOffset) & encryptedBit) return { kind: "doc", flaw: flaws.password };
  const hasMacros = container.FullPaths.some((name) => macroStorage.test(name));
  return hasMacros ? { kind: "doc", flaw: flaws.macros } : { kind: "doc" };
}

/** Null for one whose parts do not fit together. */
function readContainer(bytes: Buffer): CFB.CFB$Container | null {
  try {
    return CFB.read(bytes, { type: "buffer" });
  } catch {
    return null;
  }
}

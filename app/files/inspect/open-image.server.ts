import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { type Finding, fileProblems } from "../finding.ts";
import { type ImageKind, maxPixels } from "./image.server.ts";

/** A job of the child process, which inspects an image whose end is missing. */
export type ImageJob = {
  kind: ImageKind;
  /** Absolute path of the file. */
  path: string;
  /** The position of its last pixels. */
  pixels: number;
};

/**
 * Decodes an image whose end is missing. It is accepted if all of its pixels are there.
 *
 * @returns also `end`, the position after its pixels
 */
export async function inspectOpenImage({ kind, path, pixels }: ImageJob): Promise<Finding> {
  const bytes = await readFile(path);
  if (kind === "png" && (await findProblem(bytes, "error")) === null) return { kind, end: pixels };
  if (kind === "jpg" && (await hasAllPixels(bytes, bytes.length)))
    return { kind, end: await findEndOfPixels(bytes, pixels) };
  return { kind, problem: fileProblems.incomplete };
}

/** Finds the end of the pixels of a JPEG by trying, since only a decoder knows it. */
async function findEndOfPixels(bytes: Buffer, pixels: number): Promise<number> {
  let [tooEarly, end] = [pixels, bytes.length];
  while (end - tooEarly > 1) {
    const middle = Math.floor((tooEarly + end) / 2);
    if (await hasAllPixels(bytes, middle)) end = middle;
    else tooEarly = middle;
  }
  return end;
}

const endOfJpeg = Buffer.from("ffd9", "hex");

async function hasAllPixels(bytes: Buffer, end: number): Promise<boolean> {
  const problem = await findProblem(Buffer.concat([bytes.subarray(0, end), endOfJpeg]), "warning");
  // The decoder says this about bytes that it didn't need.
  return problem === null || problem.includes("before marker 0xd9");
}

/** Decodes an image, and returns the decoder's message if it can't. */
async function findProblem(bytes: Buffer, failOn: "error" | "warning"): Promise<string | null> {
  try {
    const image = sharp(bytes, { limitInputPixels: maxPixels, failOn });
    const { width, height } = await image.metadata();
    // The last row needs all rows before it, but little memory.
    await image
      .extract({ left: 0, top: height - 1, width, height: 1 })
      .raw()
      .toBuffer();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A text to be sent often: its tag, and its bytes by content encoding. */
export type KeptBody = {
  etag: string;
  encoded: { identity: Buffer; gzip: Buffer; br: Buffer };
};

/** Compresses a text once for everybody. */
export async function keptBody(text: string): Promise<KeptBody> {
  const identity = Buffer.from(text);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    promisify(gzip)(identity),
  ]);
  return { etag: `"${sha256(text).slice(0, 22)}"`, encoded: { identity, gzip: zipped, br } };
}

/** Whether the asker has it already. A proxy that compresses marks the tag as weak; that is the same. */
export function isKnown(tags: string | undefined, etag: string): boolean {
  return (tags ?? "").split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

/** The bytes for whoever accepts these encodings, and the headers that say so. */
export function encodedFor(accepted: string | undefined, { encoded }: KeptBody) {
  const encoding = encodingFor(accepted ?? "");
  const headers: Record<string, string> =
    encoding === "identity" ? {} : { "Content-Encoding": encoding };
  return { bytes: new Uint8Array(encoded[encoding]), headers };
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

/** The best encoding that a browser names. */
export function encodingFor(accepted: string): "br" | "gzip" | "identity" {
  if (/\bbr\b/.test(accepted)) return "br";
  return /\bgzip\b/.test(accepted) ? "gzip" : "identity";
}

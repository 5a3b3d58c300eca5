import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { parseAccept } from "hono/utils/accept";

/** A cached text: its ETag, and its bytes by content encoding. */
export type CachedBody = {
  etag: string;
  encoded: { identity: Buffer; gzip: Buffer; br: Buffer };
};

/** Compresses a text once for all requests. */
export async function createCachedBody(text: string): Promise<CachedBody> {
  const identity = Buffer.from(text);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    promisify(gzip)(identity),
  ]);
  return { etag: `"${hashSha256(text).slice(0, 22)}"`, encoded: { identity, gzip: zipped, br } };
}

/** Checks whether the client already has this version. A proxy's weakened ETag still matches. */
export function isKnown(tags: string | undefined, etag: string): boolean {
  return (tags ?? "").split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

/** Returns the bytes in the best accepted encoding, and their headers. */
export function selectEncodedBody(accepted: string | undefined, { encoded }: CachedBody) {
  const encoding = selectEncoding(accepted ?? "", ["br", "gzip"]);
  const headers: Record<string, string> =
    encoding === "identity" ? {} : { "Content-Encoding": encoding };
  return { bytes: new Uint8Array(encoded[encoding]), headers };
}

export function hashSha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

/** Returns the offered encoding that the client prefers. */
export function selectEncoding<Encoding extends string>(
  accepted: string,
  offered: readonly Encoding[],
): Encoding | "identity" {
  return listAcceptedEncodings(accepted, offered)[0] ?? "identity";
}

/** Lists the offered encodings that an Accept-Encoding header accepts, preferred first (RFC 9110, 12.5.3). */
export function listAcceptedEncodings<Encoding extends string>(
  header: string,
  offered: readonly Encoding[],
): Encoding[] {
  const named = new Map(parseAccept(header).map(({ type, q }) => [type.toLowerCase(), q]));
  const quality = (encoding: string) => named.get(encoding) ?? named.get("*") ?? 0;
  return offered
    .filter((encoding) => quality(encoding) > 0 && quality(encoding) >= quality("identity"))
    .toSorted((a, b) => quality(b) - quality(a));
}

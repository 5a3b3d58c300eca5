import { Readable, pipeline } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import type { Context, MiddlewareHandler } from "hono";
import { getResponseText } from "../../app/ui/router/rendered-page.server.ts";
import { selectEncoding } from "./bodies.ts";

const texts = /^(text\/|application\/(json|ld\+json|xml|rss\+xml|atom\+xml)|image\/svg)/;
const page = /^text\/html/;

/** A window of 256 KB fits any page, and is faster to set up than the default of 4 MB. */
const brotli = {
  [constants.BROTLI_PARAM_QUALITY]: 3,
  [constants.BROTLI_PARAM_LGWIN]: 18,
};

/**
 * Fast levels, because a person is waiting: a page of 65 KB takes 0.1 ms with Zstandard, 0.2 with Brotli and 0.4
 * with gzip. That is less than using another thread would cost.
 */
const compressors = {
  zstd: (bytes: Uint8Array) => zstdCompressSync(bytes),
  br: (bytes: Uint8Array) =>
    brotliCompressSync(bytes, {
      params: { ...brotli, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Uint8Array) => gzipSync(bytes, { level: 4 }),
};

/** Flushes each chunk, because a screen's data can be streamed. */
const streamingEncoders = {
  br: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: brotli }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH, level: 4 }),
};

/** Compresses dynamic responses. Built files and cached pages are already compressed. */
export function compressResponses(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (context.req.method === "HEAD" || !canCompress(context)) return;
    const text = getResponseText(context.res);
    if (text === undefined && !context.res.body) return;
    const { headers } = context.res;
    if (!/accept-encoding/i.test(headers.get("vary") ?? ""))
      headers.append("Vary", "Accept-Encoding");
    const acceptedEncodings = context.req.header("accept-encoding") ?? "";
    if (text === undefined && !page.test(headers.get("content-type") ?? ""))
      return compressStream(context, selectEncoding(acceptedEncodings, ["br", "gzip"]));
    const encoding = selectEncoding(acceptedEncodings, ["zstd", "br", "gzip"]);
    // Checked before reading the body, which could not be sent afterwards.
    if (encoding === "identity") return;
    compressWhole(context, Buffer.from(text ?? (await context.res.text())), encoding);
  };
}

function canCompress({ req, res: { headers } }: Context): boolean {
  return (
    texts.test(headers.get("content-type") ?? "") &&
    !headers.has("content-encoding") &&
    // The length of a compressed page can reveal a secret in it.
    !req.query("token_hash")
  );
}

function compressWhole(context: Context, page: Buffer, encoding: keyof typeof compressors): void {
  const bytes = compressors[encoding](page);
  replaceBody(context, new Uint8Array(bytes), encoding);
  context.res.headers.set("Content-Length", String(bytes.length));
}

function compressStream(context: Context, encoding: keyof typeof streamingEncoders | "identity") {
  if (encoding === "identity") return;
  const encoder = streamingEncoders[encoding]();
  // A client that disconnects ends the rendering, which is not an error.
  pipeline(Readable.fromWeb(context.res.body as ReadableStream), encoder, () => {});
  replaceBody(context, Readable.toWeb(encoder) as BodyInit, encoding);
  context.res.headers.delete("Content-Length");
}

function replaceBody(context: Context, body: BodyInit, encoding: string): void {
  const { status, headers } = context.res;
  // Otherwise Hono would copy each header of the old response to the new one.
  context.res = undefined;
  context.res = new Response(body, { status, headers });
  context.res.headers.set("Content-Encoding", encoding);
}

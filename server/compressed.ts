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
import { textOfPage } from "../app/whole-page.server.ts";
import { encodingFor } from "./cache/bodies.ts";

const texts = /^(text\/|application\/(json|ld\+json|xml|rss\+xml|atom\+xml)|image\/svg)/;
const page = /^text\/html/;

/** A window of 256 KB holds any page, and is set up quicker than the usual one of 4 MB. */
const brotli = {
  [constants.BROTLI_PARAM_QUALITY]: 3,
  [constants.BROTLI_PARAM_LGWIN]: 18,
};

/**
 * Quick rather than thorough, since somebody waits: a page of 65 KB takes 0.1 ms by Zstandard, 0.2 by
 * Brotli and 0.4 by gzip. That is less than another thread would cost, and the first two are as small.
 */
const whole = {
  zstd: (bytes: Uint8Array) => zstdCompressSync(bytes),
  br: (bytes: Uint8Array) =>
    brotliCompressSync(bytes, {
      params: { ...brotli, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Uint8Array) => gzipSync(bytes, { level: 4 }),
};

/** Each piece is sent at once: a screen's data may come in parts. */
const piecewise = {
  br: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: brotli }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH, level: 4 }),
};

/** Compresses what is rendered for one person; built files and cached pages come compressed. */
export function compressed(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (context.req.method === "HEAD" || !mayCompress(context)) return;
    const text = textOfPage(context.res);
    if (text === undefined && !context.res.body) return;
    const { headers } = context.res;
    if (!/accept-encoding/i.test(headers.get("vary") ?? ""))
      headers.append("Vary", "Accept-Encoding");
    if (text !== undefined) compressWhole(context, Buffer.from(text));
    else if (page.test(headers.get("content-type") ?? ""))
      compressWhole(context, Buffer.from(await context.res.arrayBuffer()));
    else compressPiecewise(context, context.res.body as ReadableStream);
  };
}

function mayCompress({ req, res: { headers } }: Context): boolean {
  return (
    texts.test(headers.get("content-type") ?? "") &&
    !headers.has("content-encoding") &&
    // The length of a compressed page can tell a secret in it.
    !req.query("token_hash")
  );
}

function compressWhole(context: Context, page: Buffer): void {
  const encoding = encodingFor(accepted(context), ["zstd", "br", "gzip"]);
  if (encoding === "identity") return;
  const bytes = whole[encoding](page);
  replaceBody(context, new Uint8Array(bytes), encoding);
  context.res.headers.set("Content-Length", String(bytes.length));
}

function compressPiecewise(context: Context, body: ReadableStream): void {
  const encoding = encodingFor(accepted(context), ["br", "gzip"]);
  if (encoding === "identity") return;
  const encoder = piecewise[encoding]();
  // A visitor who leaves ends the making too; that is no error.
  pipeline(Readable.fromWeb(body), encoder, () => {});
  replaceBody(context, Readable.toWeb(encoder) as BodyInit, encoding);
  context.res.headers.delete("Content-Length");
}

function accepted({ req }: Context): string {
  return req.header("accept-encoding") ?? "";
}

function replaceBody(context: Context, body: BodyInit, encoding: string): void {
  const { status, headers } = context.res;
  // Hono would copy the headers of an answer that is still there into the new one, one by one.
  context.res = undefined;
  context.res = new Response(body, { status, headers });
  context.res.headers.set("Content-Encoding", encoding);
}

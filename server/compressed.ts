import { Readable, pipeline } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import type { Context, MiddlewareHandler } from "hono";
import { encodingFor } from "./bodies.ts";

const texts = /^(text\/|application\/(json|ld\+json|xml|rss\+xml|atom\+xml)|image\/svg)/;

/**
 * Quick rather than thorough, since somebody waits; each piece that was drawn is sent at once. A window
 * of 64 KB holds a page; the usual one of 4 MB costs more to set up than the page to compress.
 */
const encoders = {
  br: () =>
    createBrotliCompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 16 },
    }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH, level: 6 }),
};

/** Compresses the pages that are drawn for one person; built files and kept pages come compressed. */
export function compressed(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { body, headers } = context.res;
    if (!body || context.req.method === "HEAD" || !mayCompress(context)) return;
    if (!/accept-encoding/i.test(headers.get("vary") ?? ""))
      headers.append("Vary", "Accept-Encoding");
    const encoding = encodingFor(context.req.header("accept-encoding") ?? "");
    if (encoding === "identity") return;
    const encoder = encoders[encoding]();
    // A visitor who leaves ends the drawing too; that is no error.
    pipeline(Readable.fromWeb(body as ReadableStream), encoder, () => {});
    context.res = new Response(Readable.toWeb(encoder) as BodyInit, context.res);
    context.res.headers.set("Content-Encoding", encoding);
    context.res.headers.delete("Content-Length");
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

import type { Context } from "hono";
import type { SitemapRun } from "../../app/jobs/feed/sitemap.server.ts";
import { minute } from "../../app/platform/clock.ts";
import { selectEncodedBody, isKnown, createCachedBody, type CachedBody } from "../http/bodies.ts";
import type { ChangeCache } from "./change-cache.ts";

/** A document that is the same for everyone, such as a feed. */
type PublicDocument = {
  type: string;
  text: string;
  /** The time of the last change, if known. */
  changedAt?: Date | null;
};

type DocumentCache = {
  /** Responds with a document, which is made once and cached for at most a minute, until jobs change. */
  send(
    context: Context,
    options: { key: string; maxAge: number },
    make: () => Promise<PublicDocument>,
  ): Promise<Response>;
  /** Returns how the open jobs are split into sitemaps, which is slow to compute. */
  sitemapRuns(make: () => Promise<SitemapRun[]>): Promise<SitemapRun[]>;
};

const maxDocuments = 300;

type Cached = { type: string; changedAt: Date | null; body: CachedBody };

/** Caches public documents until jobs change. The counts that some of them use are refreshed each minute. */
export function createDocumentCache(cache: ChangeCache): DocumentCache {
  const documents = cache.room<Cached>({ name: "documents", max: maxDocuments, lifetime: minute });
  const runs = cache.room<SitemapRun[]>({ name: "sitemap runs", max: 1 });
  return {
    sitemapRuns: (make) => runs.read("runs", make),
    async send(context, { key, maxAge }, make) {
      return respondWithDocument(
        context,
        await documents.read(key, () => make().then(toCachedDocument)),
        maxAge,
      );
    },
  };
}

async function toCachedDocument({ type, text, changedAt = null }: PublicDocument): Promise<Cached> {
  return { type, changedAt, body: await createCachedBody(text) };
}

function respondWithDocument(context: Context, { type, changedAt, body }: Cached, maxAge: number) {
  const headers = {
    "Cache-Control": `public, max-age=${maxAge}`,
    ETag: body.etag,
    Vary: "Accept-Encoding",
    ...(changedAt && { "Last-Modified": changedAt.toUTCString() }),
    ...forEverySite,
  };
  if (isFresh(context, body.etag, changedAt)) return new Response(null, { status: 304, headers });
  const { bytes, headers: encoding } = selectEncodedBody(
    context.req.header("accept-encoding"),
    body,
  );
  return new Response(context.req.method === "HEAD" ? null : bytes, {
    headers: { ...headers, ...encoding, "Content-Type": type },
  });
}

/** Lets other sites read these responses, which are public and need no cookies. */
export const forEverySite = {
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Compares the ETag if one was sent, else the date, which has a precision of one second. */
export function isFresh(context: Context, etag: string, changedAt: Date | null): boolean {
  const tags = context.req.header("if-none-match");
  if (tags !== undefined) return tags.trim() === "*" || isKnown(tags, etag);
  const since = Date.parse(context.req.header("if-modified-since") ?? "");
  return changedAt !== null && Math.floor(changedAt.getTime() / 1000) * 1000 <= since;
}

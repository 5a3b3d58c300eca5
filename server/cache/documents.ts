import type { Context } from "hono";
import type { SitemapRun } from "../../app/jobs/feed/sitemap.server.ts";
import { selectEncodedBody, isKnown, createCachedBody, type CachedBody } from "../http/bodies.ts";
import type { ChangeCache } from "./change-cache.ts";

/** Something to read that is the same for everybody, such as a feed. */
type PublicDocument = {
  /** Its media type. */
  type: string;
  text: string;
  /** When it last changed, where that is known. */
  changedAt?: Date | null;
};

export type DocumentCache = {
  /** Answers with a document, which is made once until jobs change, however many ask for it. */
  send(
    context: Context,
    options: { key: string; maxAge: number },
    make: () => Promise<PublicDocument>,
  ): Promise<Response>;
  /** Returns how the open jobs are split into sitemaps, which takes long with very many. */
  sitemapRuns(make: () => Promise<SitemapRun[]>): Promise<SitemapRun[]>;
};

const mostDocuments = 300;

type Cached = { type: string; changedAt: Date | null; body: CachedBody };

/** Caches feeds and the like until jobs change. */
export function createDocumentCache(cache: ChangeCache): DocumentCache {
  const documents = cache.room<Cached>({ name: "documents", most: mostDocuments });
  const runs = cache.room<SitemapRun[]>({ name: "sitemap runs", most: 1 });
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

function respondWithDocument(
  context: Context,
  { type, changedAt, body }: Cached,
  maxAge: number,
): Response {
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

/** Public and without cookies: other sites' scripts and pages may have it. */
export const forEverySite = {
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Compares the tag if one was sent, else the date, which has whole seconds. */
export function isFresh(context: Context, etag: string, changedAt: Date | null): boolean {
  const tags = context.req.header("if-none-match");
  if (tags !== undefined) return tags.trim() === "*" || isKnown(tags, etag);
  const since = Date.parse(context.req.header("if-modified-since") ?? "");
  return changedAt !== null && Math.floor(changedAt.getTime() / 1000) * 1000 <= since;
}

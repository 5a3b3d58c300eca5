import type { Context } from "hono";
import { encodedFor, isKnown, keptBody, type KeptBody } from "./bodies.ts";
import type { Memory } from "./hear-changes.ts";

/** Something to read that is the same for everybody, such as a feed. */
export type PublicDocument = {
  /** Its media type. */
  type: string;
  text: string;
  /** When it last changed, where that is known. */
  changedAt?: Date | null;
};

export type DocumentCache = Memory & {
  /** Answers with a document, which is made once until jobs change, however many ask for it. */
  send(
    context: Context,
    options: { key: string; maxAge: number },
    make: () => Promise<PublicDocument>,
  ): Promise<Response>;
};

const mostDocuments = 300;

type Kept = { type: string; changedAt: Date | null; body: KeptBody };

/** Keeps feeds and the like until jobs change. What was begun before a change is never kept after it. */
export function documentCache(): DocumentCache {
  let generation = 0;
  let trusted = false;
  const documents = new Map<string, Promise<Kept>>();

  function read(key: string, make: () => Promise<PublicDocument>): Promise<Kept> {
    const known = documents.get(key);
    if (known) return known;
    const begun = generation;
    const making = make().then(asKept);
    if (!trusted) return making;
    const forget = () => {
      if (documents.get(key) === making) documents.delete(key);
    };
    making.then(() => begun !== generation && forget(), forget);
    if (documents.size >= mostDocuments) documents.delete(documents.keys().next().value!);
    documents.set(key, making);
    return making;
  }

  function empty(): void {
    generation += 1;
    documents.clear();
  }

  return {
    empty,
    setTrusted(value) {
      trusted = value;
      empty();
    },
    async send(context, { key, maxAge }, make) {
      return answer(context, await read(key, make), maxAge);
    },
  };
}

async function asKept({ type, text, changedAt = null }: PublicDocument): Promise<Kept> {
  return { type, changedAt, body: await keptBody(text) };
}

function answer(context: Context, { type, changedAt, body }: Kept, maxAge: number): Response {
  const headers = {
    "Cache-Control": `public, max-age=${maxAge}`,
    ETag: body.etag,
    Vary: "Accept-Encoding",
    ...(changedAt && { "Last-Modified": changedAt.toUTCString() }),
    ...forEverySite,
  };
  if (isFresh(context, body.etag, changedAt)) return new Response(null, { status: 304, headers });
  const { bytes, headers: encoding } = encodedFor(context.req.header("accept-encoding"), body);
  return new Response(context.req.method === "HEAD" ? null : bytes, {
    headers: { ...headers, ...encoding, "Content-Type": type },
  });
}

/** Public and without cookies: other sites' scripts and pages may have it. */
export const forEverySite = {
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** By the tag where one was sent, else by the date, which has whole seconds. */
export function isFresh(context: Context, etag: string, changedAt: Date | null): boolean {
  const tags = context.req.header("if-none-match");
  if (tags !== undefined) return tags.trim() === "*" || isKnown(tags, etag);
  const since = Date.parse(context.req.header("if-modified-since") ?? "");
  return changedAt !== null && Math.floor(changedAt.getTime() / 1000) * 1000 <= since;
}

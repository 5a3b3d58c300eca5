import { createHash } from "node:crypto";
import { type Context, Hono } from "hono";
import { NotFound } from "../platform/errors.ts";
import { type Area, type Bucket, buckets } from "./rules.ts";
import type { ByteRange, FileFacts, FileStore } from "./store.server.ts";

export type ServedFile = {
  bucket: Area;
  path: string;
  /** The type detected during the upload. */
  mimeType: string;
  originalName: string;
  /** In bytes, if it was recorded during the upload. */
  size?: number;
  /** True when browsers may show its content. */
  showable: boolean;
};

/**
 * Answers a GET or HEAD for a stored file: the entire file, one range, or "not modified". The caller must have checked
 * the permission.
 *
 * @throws {NotFound} if the store doesn't have the file.
 */
export async function serveFile(
  request: Request,
  store: FileStore,
  file: ServedFile,
): Promise<Response> {
  const facts = await store.stat(file.bucket, file.path);
  if (!facts) throw new NotFound();
  const { size } = facts;
  if (file.size !== undefined && file.size !== size) {
    throw new Error(`${file.bucket}/${file.path} has ${size} bytes, not ${file.size}.`);
  }

  const tag = buildEntityTag(file, facts);
  const headers = buildFileHeaders(file, tag);
  if (isKnown(request.headers.get("If-None-Match"), tag)) {
    return new Response(null, { status: 304, headers });
  }
  const range = parseRange(request, tag, size);
  if (range === "unsatisfiable") {
    headers.set("Content-Range", `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  if (range) headers.set("Content-Range", `bytes ${range.start}-${range.end}/${size}`);
  headers.set("Content-Length", String(range ? range.end - range.start + 1 : size));
  if (request.method === "HEAD") return new Response(null, { headers });

  const opened = await store.open(file.bucket, file.path, range ?? undefined);
  if (!opened) throw new NotFound();
  return new Response(opened.stream, { status: range ? 206 : 200, headers });
}

/** Our own pages show a document in a frame. */
const framed = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  "X-Frame-Options": "SAMEORIGIN",
};

function buildFileHeaders({ mimeType, originalName, showable }: ServedFile, tag: string): Headers {
  const headers = new Headers({
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-cache",
    "Content-Disposition": formatContentDisposition(
      showable ? "inline" : "attachment",
      originalName,
    ),
    "Content-Type": showable ? mimeType : "application/octet-stream",
    ETag: tag,
    "X-Content-Type-Options": "nosniff",
    ...framed,
  });
  // Browsers refuse to show a PDF in a sandbox.
  const isPdf = showable && mimeType === "application/pdf";
  const policy = framed["Content-Security-Policy"];
  headers.set("Content-Security-Policy", isPdf ? "frame-ancestors 'self'" : `sandbox; ${policy}`);
  return headers;
}

/** Stored files never change. The time distinguishes a file from an earlier one at the same path. */
function buildEntityTag({ bucket, path }: ServedFile, { size, modifiedAt }: FileFacts): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([bucket, path, size, modifiedAt.getTime()]));
  return `"${hash.digest("base64url").slice(0, 27)}"`;
}

function isKnown(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  const tags = ifNoneMatch.split(",").map((one) => one.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(tag);
}

/** Returns null for the entire file: without a range, with several, an invalid one or one of an older file. */
function parseRange(
  request: Request,
  tag: string,
  size: number,
): ByteRange | "unsatisfiable" | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(request.headers.get("Range")?.trim() ?? "");
  const ifRange = request.headers.get("If-Range");
  if (request.method !== "GET" || !match || (ifRange !== null && ifRange !== tag)) return null;

  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return null;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

/**
 * Formats a Content-Disposition header with the file's name in UTF-8 (RFC 5987), and in ASCII for old programs.
 */
export function formatContentDisposition(
  type: "inline" | "attachment",
  originalName: string,
): string {
  // Format characters can reverse text and so hide an extension. Indic scripts need two of them.
  const unsafe = /[\p{Cc}/\\]|(?![\u200c\u200d])\p{Cf}/gu;
  const name = originalName.toWellFormed().replace(unsafe, "").trim() || "file";
  const ascii = name.replace(/[^\x20-\x7e]|["%]/gu, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

type Env<Actor> = { Variables: { actor: Actor | null } };

/** Finds a file if the actor may read it, else returns null. */
type FindReadable<Actor> = (
  actor: Actor,
  bucket: Bucket,
  path: string,
) => Promise<ServedFile | null>;

const prefix = "/storage/";

/**
 * Serves `/storage/<bucket>/<path>` to people who may read the file. For others it doesn't exist, and the next handler
 * answers.
 */
export function createFileRoutes<Actor>(
  store: FileStore,
  find: FindReadable<Actor>,
): Hono<Env<Actor>> {
  const routes = new Hono<Env<Actor>>();
  routes.all("/*", async (context: Context<Env<Actor>>, next) => {
    const { method } = context.req;
    if (method !== "GET" && method !== "HEAD") {
      return context.text("Method not allowed", 405, { Allow: "GET, HEAD" });
    }
    const actor = context.get("actor");
    const address = readAddress(new URL(context.req.url).pathname);
    const file = actor && address && (await find(actor, address.bucket, address.path));
    // Browsers refuse to show the error page in a frame.
    const isFramed = context.req.header("sec-fetch-dest") === "iframe";
    const answerMissing = () => (isFramed ? context.text("File not found", 404, framed) : next());
    if (!file) return answerMissing();
    try {
      return await serveFile(context.req.raw, store, file);
    } catch (error) {
      if (error instanceof NotFound) return answerMissing();
      throw error;
    }
  });
  return routes;
}

/** Parses the address. Each segment is decoded separately, so that "%2F" is not a separator. */
function readAddress(pathname: string) {
  const [name, ...encoded] = pathname.slice(prefix.length).split("/");
  const bucket = buckets.find((candidate) => candidate === name);
  const segments = encoded.map(decodeSegment);
  if (!bucket || segments.some((segment) => !segment || /[/\\\u0000]/.test(segment))) return null;
  return { bucket, path: segments.join("/") };
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

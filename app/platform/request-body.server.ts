import type { Context, MiddlewareHandler } from "hono";

/** At most this many bytes of an unwanted body are read and dropped. */
const maxDropped = 64 * 1024 * 1024;

/**
 * Reads a complete body before the request is handled, so that no handler sees a partial body.
 *
 * @param maxBytes the size limit in bytes
 * @param tooLong returns the answer to a longer body
 */
export function readWholeBody(
  maxBytes: number,
  tooLong: (context: Context) => Response,
): MiddlewareHandler {
  return async (context, next) => {
    const { raw } = context.req;
    const body = await read(raw, maxBytes);
    if (body === "given up") return respondToBrokenRequest();
    if (body === "too long") return tooLong(context);
    context.req.raw = new Request(raw, { method: raw.method, body });
    return next();
  };
}

/** Reads the rest of an unwanted body, since browsers read the answer only after sending everything. */
export async function readAndDropBody(request: Request): Promise<void> {
  await read(request, 0);
}

/** Drops the rest of a body that is too long, up to a limit. */
async function read(request: Request, maxBytes: number) {
  const chunks: Uint8Array[] = [];
  const isDeclaredTooLong = Number(request.headers.get("content-length") ?? 0) > maxBytes;
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > maxDropped) break;
      if (!isDeclaredTooLong && length <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    return "given up";
  }
  return isDeclaredTooLong || length > maxBytes
    ? "too long"
    : new Uint8Array(Buffer.concat(chunks));
}

/** The connection broke during the body, so no one reads this answer. */
function respondToBrokenRequest(): Response {
  return new Response(null, { status: 400 });
}

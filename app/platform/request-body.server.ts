import type { Context, MiddlewareHandler } from "hono";

/** So much of a body that nobody wants is read and dropped, in bytes. */
const longestDrop = 64 * 1024 * 1024;

/**
 * Reads a body whole before anybody is asked for the answer, so that nobody has to do with a part of one.
 *
 * @param most of it, in bytes
 * @param tooLong the answer to a longer one
 */
export function readWholeBody(
  most: number,
  tooLong: (context: Context) => Response,
): MiddlewareHandler {
  return async (context, next) => {
    const { raw } = context.req;
    const body = await read(raw, most);
    if (body === "given up") return respondToBrokenRequest();
    if (body === "too long") return tooLong(context);
    context.req.raw = new Request(raw, { method: raw.method, body });
    return next();
  };
}

/** Reads on through a body that nobody wants: whoever sends it sees the answer only after sending. */
export async function readAndDropBody(request: Request): Promise<void> {
  await read(request, 0);
}

/** What is left of a body that is too long is dropped, as far as that is worth while. */
async function read(
  request: Request,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | "too long" | "given up"> {
  const chunks: Uint8Array[] = [];
  const isSaidTooLong = Number(request.headers.get("content-length") ?? 0) > most;
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > longestDrop) break;
      if (!isSaidTooLong && length <= most) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    return "given up";
  }
  return isSaidTooLong || length > most ? "too long" : new Uint8Array(Buffer.concat(chunks));
}

/** Nobody reads it any more: the connection broke while the body was on its way. */
function respondToBrokenRequest(): Response {
  return new Response(null, { status: 400 });
}

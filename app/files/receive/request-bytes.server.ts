import { finished, type Readable } from "node:stream";

/**
 * Streams the bytes of a request without copying them. `request.body` would copy every part and leave the original to
 * the garbage collector. Cancelling the stream keeps the connection open for the answer.
 */
export function toByteStream(incoming: Readable): ReadableStream<Uint8Array> {
  let isOver = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        incoming.pause();
        incoming.on("data", (part: Buffer<ArrayBuffer>) => {
          if (isOver) return;
          controller.enqueue(part);
          incoming.pause();
        });
        finished(incoming, (error) => {
          if (isOver) return;
          isOver = true;
          if (error) controller.error(error);
          else controller.close();
        });
      },
      pull() {
        incoming.resume();
      },
      cancel() {
        isOver = true;
      },
    },
    { highWaterMark: 0 },
  );
}

/** Returns a request whose body streams without copying. */
export function toStreamingRequest({ method, url, headers }: Request, incoming: Readable): Request {
  const withBytes: RequestInit & { duplex: "half" } = {
    method,
    headers,
    body: toByteStream(incoming),
    duplex: "half",
  };
  return new Request(url, withBytes);
}

import { finished, type Readable } from "node:stream";

/**
 * What comes with a request, part by part, as it was read from the connection. `request.body` has copies: Node
 * makes one of every part, and leaves what it was made from to the garbage collector.
 *
 * Giving it up does not end the connection, on which an answer is still to go.
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

import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { toByteStream } from "./request-bytes.server.ts";

/** A request of which so many parts have come, and more may. */
function coming(...parts: string[]) {
  const request = new Readable({ read() {} });
  for (const part of parts) request.push(part);
  return request;
}

test("every part of a request is the one that was read from the connection, not a copy", async () => {
  const request = coming("one", "two", "three");
  request.push(null);
  const bytes = toByteStream(request);
  const read: Uint8Array[] = [];
  request.on("data", (part: Buffer) => read.push(part));
  const given: Uint8Array[] = [];
  for await (const part of bytes) given.push(part);
  expect(given).toHaveLength(3);
  for (const [place, part] of given.entries()) expect(part).toBe(read[place]);
});

test("what nobody asks for is left on the connection", async () => {
  const request = coming("one", "two");
  const reader = toByteStream(request).getReader();
  const { value } = await reader.read();
  expect(Buffer.from(value!).toString()).toBe("one");
  expect(request.readableLength).toBe("two".length);
});

test("a connection that is lost is told after what had come", async () => {
  const request = coming("one");
  const reader = toByteStream(request).getReader();
  await reader.read();
  request.destroy(new Error("aborted"));
  await expect(reader.read()).rejects.toThrow("aborted");
});

test("who has had enough leaves the connection open, and what still comes is let go", async () => {
  const request = coming("one", "two");
  const reader = toByteStream(request).getReader();
  await reader.read();
  await reader.cancel();
  expect(request.destroyed).toBe(false);
  request.resume();
  await expect.poll(() => request.readableLength).toBe(0);
});

import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { toByteStream } from "./request-bytes.server.ts";

/** Creates a request that has received these parts and may receive more. */
function coming(...parts: string[]) {
  const request = new Readable({ read() {} });
  for (const part of parts) request.push(part);
  return request;
}

test("the parts of a request are not copied", async () => {
  const request = coming("one", "two", "three");
  request.push(null);
  const bytes = toByteStream(request);
  const read: Uint8Array[] = [];
  request.on("data", (part: Buffer) => read.push(part));
  const received: Uint8Array[] = [];
  for await (const part of bytes) received.push(part);
  expect(received).toHaveLength(3);
  for (const [place, part] of received.entries()) expect(part).toBe(read[place]);
});

test("unread bytes stay on the connection", async () => {
  const request = coming("one", "two");
  const reader = toByteStream(request).getReader();
  const { value } = await reader.read();
  expect(Buffer.from(value!).toString()).toBe("one");
  expect(request.readableLength).toBe("two".length);
});

test("a lost connection fails after the received bytes", async () => {
  const request = coming("one");
  const reader = toByteStream(request).getReader();
  await reader.read();
  request.destroy(new Error("aborted"));
  await expect(reader.read()).rejects.toThrow("aborted");
});

test("cancelling leaves the connection open and drops further bytes", async () => {
  const request = coming("one", "two");
  const reader = toByteStream(request).getReader();
  await reader.read();
  await reader.cancel();
  expect(request.destroyed).toBe(false);
  request.resume();
  await expect.poll(() => request.readableLength).toBe(0);
});

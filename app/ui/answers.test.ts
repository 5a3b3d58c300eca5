import { beforeEach, expect, test, vi } from "vitest";
import { insistOnAnswers } from "./answers.ts";

/** Of an answer the first line has come; what comes of the rest is for the test to say. */
let rest: ReadableStreamDefaultController<Uint8Array>;

beforeEach(() => {
  const begun = new ReadableStream<Uint8Array>({
    start(controller) {
      rest = controller;
      controller.enqueue(new TextEncoder().encode("[1]\n"));
    },
  });
  const answer = new Response(begun, { headers: { "X-Remix-Response": "yes" } });
  vi.stubGlobal("window", { fetch: () => Promise.resolve(answer) });
  vi.stubGlobal("location", new URL("http://localhost:3000/jobs"));
  insistOnAnswers({
    unread: () => "",
    navigation: () => null,
    isLeaving: () => false,
  });
  return () => void vi.unstubAllGlobals();
});

test("the rest of an answer that the router has given up ends, and throws at nobody", async () => {
  const givenUp = new AbortController();
  const answer = await window.fetch("/jobs.data", { signal: givenUp.signal });
  const read = answer.text();
  givenUp.abort();
  rest.error(givenUp.signal.reason);
  expect(await read).toBe("[1]\n");
});

test("the rest of an answer that is lost fails", async () => {
  const answer = await window.fetch("/jobs.data", { signal: new AbortController().signal });
  const read = answer.text();
  rest.error(new TypeError("network error"));
  await expect(read).rejects.toThrow("network error");
});

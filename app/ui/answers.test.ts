import { beforeEach, expect, test, vi } from "vitest";
import { insistOnAnswers } from "./answers.ts";
import { personHeader } from "./shown-person.ts";

type Sent = { body: string; signal: AbortSignal | null; headers: Record<string, string> };

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
  vi.stubGlobal("document", { documentElement: { dataset: { person: "asha" } } });
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

test("a form waits for the answer to the one before it on the same screen, even to one that was given up", async () => {
  const sent: string[] = [];
  const first = Promise.withResolvers<Response>();
  vi.stubGlobal("window", {
    fetch: (_: string, { body, signal, headers }: Sent) => {
      expect(signal?.aborted).not.toBe(true);
      expect(headers).toEqual({ [personHeader]: "asha" });
      sent.push(body);
      return sent.length === 1 ? first.promise : Promise.resolve(answered());
    },
  });
  const answered = () => new Response("[1]\n", { headers: { "X-Remix-Response": "yes" } });
  insistOnAnswers({ unread: () => "", navigation: () => null, isLeaving: () => false });
  const givenUp = new AbortController();
  const form = (body: string) => ({ method: "POST", body, signal: givenUp.signal });
  const earlier = window.fetch("/jobs.data", form("yes"));
  const later = window.fetch("/jobs.data?step=2", form("no"));
  await window.fetch("/profile.data", form("elsewhere"));
  givenUp.abort();
  expect(sent).toEqual(["yes", "elsewhere"]);

  first.resolve(answered());
  await Promise.all([earlier, later]);
  expect(sent).toEqual(["yes", "elsewhere", "no"]);
});

import { beforeEach, expect, test, vi } from "vitest";
import { retryFailedReads } from "./failed-reads.ts";
import { personHeader } from "../expected-user.ts";

type Sent = {
  body: URLSearchParams;
  signal: AbortSignal | null;
  headers: Record<string, string>;
};

/** The first line of the answer has arrived. The test controls the rest. */
let rest: ReadableStreamDefaultController<Uint8Array>;

beforeEach(() => {
  const firstLine = new ReadableStream<Uint8Array>({
    start(controller) {
      rest = controller;
      controller.enqueue(new TextEncoder().encode("[1]\n"));
    },
  });
  const answer = new Response(firstLine, { headers: { "X-Remix-Response": "yes" } });
  vi.stubGlobal("window", { fetch: () => Promise.resolve(answer) });
  vi.stubGlobal("document", { documentElement: { dataset: { person: "asha" } } });
  vi.stubGlobal("location", new URL("http://localhost:3000/jobs"));
  retryFailedReads({ unread: () => "", navigation: () => null, isLeaving: () => false });
  return () => void vi.unstubAllGlobals();
});

test("an aborted response ends without an error", async () => {
  const givenUp = new AbortController();
  const answer = await window.fetch("/jobs.data", { signal: givenUp.signal });
  const read = answer.text();
  givenUp.abort();
  rest.error(givenUp.signal.reason);
  expect(await read).toBe("[1]\n");
});

test("an interrupted response fails", async () => {
  const answer = await window.fetch("/jobs.data", { signal: new AbortController().signal });
  const read = answer.text();
  rest.error(new TypeError("network error"));
  await expect(read).rejects.toThrow("network error");
});

/** Creates a server that answers each form when the test says so. */
function forms() {
  const sent: { body: string; answer(): void }[] = [];
  vi.stubGlobal("window", {
    fetch: (_: string, { body, signal, headers }: Sent) => {
      expect(signal?.aborted).not.toBe(true);
      expect(headers).toEqual({ [personHeader]: "asha" });
      const { promise, resolve } = Promise.withResolvers<Response>();
      const respond = () => new Response("[1]\n", { headers: { "X-Remix-Response": "yes" } });
      sent.push({ body: body.get("done")!, answer: () => resolve(respond()) });
      return promise;
    },
  });
  retryFailedReads({ unread: () => "", navigation: () => null, isLeaving: () => false });
  return {
    send: (path: string, done: string, signal?: AbortSignal) =>
      window.fetch(path, { method: "POST", body: new URLSearchParams({ done }), signal }),
    sent: () => sent.map(({ body }) => body),
    answer: (index: number) => sent[index]!.answer(),
  };
}

test("a form waits for the answer to the previous form of its screen", async () => {
  const { send, sent, answer } = forms();
  const givenUp = new AbortController();
  const earlier = send("/ticks.data", "yes", givenUp.signal);
  const later = send("/ticks.data?step=2", "no");
  const elsewhere = send("/other.data", "elsewhere");
  givenUp.abort();
  await expect.poll(sent).toEqual(["yes", "elsewhere"]);
  answer(0);
  await earlier;
  await expect.poll(sent).toEqual(["yes", "elsewhere", "no"]);
  answer(1);
  answer(2);
  await Promise.all([later, elsewhere]);
});

test("the same form pressed twice is sent once", async () => {
  const { send, sent, answer } = forms();
  const twice = [send("/twice.data", "yes"), send("/twice.data", "yes")];
  await expect.poll(sent).toEqual(["yes"]);
  answer(0);
  for (const one of await Promise.all(twice)) expect(await one.text()).toBe("[1]\n");
  const again = send("/twice.data", "yes");
  await expect.poll(sent).toEqual(["yes", "yes"]);
  answer(1);
  await again;
});

test("the routes of the open screen are known without a request, so that presses keep their order", async () => {
  vi.stubGlobal("location", new URL("http://localhost:3000/jobs/7?page=2"));
  const asked: string[] = [];
  const fetch = ({ searchParams }: URL) => {
    asked.push(searchParams.get("paths")!);
    return Promise.resolve(Response.json({ known: "by the server" }));
  };
  vi.stubGlobal("window", { fetch });
  retryFailedReads({ unread: () => "", navigation: () => null, isLeaving: () => false });
  const ask = async (paths: string, signal?: AbortSignal) => {
    const search = new URLSearchParams({ paths, version: "1" });
    const answer = await window.fetch(new URL(`/__manifest?${search}`, location.href), { signal });
    return answer.json();
  };
  const { signal } = new AbortController();
  expect(await ask("/jobs,/jobs/7", signal)).toEqual({});
  expect(asked).toEqual([]);
  const others = ["/jobs,/jobs/17", "/check,/check/jobs/7", "/jobs"];
  for (const paths of others) await ask(paths, signal);
  // A prefetch asks for the links of a screen, which can sort before its own path.
  await ask("/faq,/jobs,/jobs/7");
  expect(asked).toEqual([...others, "/faq,/jobs,/jobs/7"]);
});

test("a form without an answer delays the next only for a while", async () => {
  vi.useFakeTimers();
  const { send, sent } = forms();
  void send("/hung.data", "yes");
  void send("/hung.data", "no");
  await vi.advanceTimersByTimeAsync(9_000);
  expect(sent()).toEqual(["yes"]);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(sent()).toEqual(["yes", "no"]);
  vi.useRealTimers();
});

import { expect, test } from "vitest";
import { scriptsLast } from "./scripts-last.server.ts";

const head = '<head><title>नक्शा</title><link rel="modulepreload" href="/a.js"/></head>';
const marked = head.replace('modulepreload"', 'modulepreload" fetchpriority="low"');
const body = "<body>₹199</body>";

test.each([1, 2, 7, 1000])(
  "preloads are marked in pieces of %d bytes, and no letter is hurt",
  async (size) => {
    expect(await through(head + body, size)).toBe(marked + body);
  },
);

test("a page that ends before its head does is sent as far as it came", async () => {
  expect(await through("<head>नक्", 4)).toBe("<head>नक्");
});

async function through(html: string, size: number): Promise<string> {
  const bytes = new TextEncoder().encode(html);
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  return new Response(pieces.pipeThrough(scriptsLast())).text();
}

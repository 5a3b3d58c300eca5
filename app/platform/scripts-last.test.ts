import { expect, test } from "vitest";
import { scriptsLast } from "./scripts-last.server.ts";

const page =
  '<head><title>नक्शा</title><link rel="modulepreload" href="/a.js"/></head>' +
  '<body>₹199 &lt;script type="module"&gt;<script nonce="n" type="module" async="">import "/a.js"</script></body></html>';

test.each([1, 2, 7, 1000])(
  "scripts are held back in pieces of %d bytes, and no letter is hurt",
  async (size) => {
    const html = await through(page, size);
    expect(html).toContain('<title>नक्शा</title><link rel="later-modulepreload" href="/a.js"/>');
    expect(html).toContain(
      '<body>₹199 &lt;script type="module"&gt;<script nonce="n" type="later/module"',
    );
    expect(html).toMatch(
      /<script nonce="abc">document\.currentScript[^<]*<\/script><\/body><\/html>$/,
    );
  },
);

test("a page that ends in the middle is sent as far as it came", async () => {
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
  return new Response(pieces.pipeThrough(scriptsLast("abc"))).text();
}

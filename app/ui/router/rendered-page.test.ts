import { expect, test } from "vitest";
import { deferScripts } from "./rendered-page.server.ts";

const page =
  '<head><title>नक्शा</title><link rel="modulepreload" href="/a.js"/></head>' +
  '<body>₹199 &lt;script type="module"&gt;<script nonce="n" type="module" async="">import "/a.js"</script><script>window.__reactRouterContext.streamController = 1;</script></body></html>';

test("scripts are deferred and the text is unchanged", () => {
  const html = deferScripts(page, "", "abc");
  expect(html).toContain('<title>नक्शा</title><link rel="later-modulepreload" href="/a.js"/>');
  expect(html).toContain(
    '<body>₹199 &lt;script type="module"&gt;<script nonce="n" type="later/module"',
  );
  expect(html).toMatch(
    /<script nonce="abc">document\.currentScript[^<]*<\/script><\/body><\/html>$/,
  );
});

test("loader data reaches the client unchanged and can't end the script", () => {
  const loaded = '["</script><!--", "\\u2028", "नक्शा $& $1"]';
  const html = deferScripts(page, loaded, "abc");
  const script = html.slice(html.lastIndexOf('<script nonce="abc">'));
  expect(script.match(/</g)).toHaveLength(4);
  const literal = /enqueue\((.*)\);\n/.exec(script)?.[1] ?? "";
  expect(JSON.parse(literal)).toBe(loaded);
});

test.each(["<h1>Nothing works</h1>", "<body><p>No scripts</p></body>"])(
  "a page without scripts is unchanged: %s",
  (html) => expect(deferScripts(html, "[]", "abc")).toBe(html),
);

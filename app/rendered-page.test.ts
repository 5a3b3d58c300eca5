import { expect, test } from "vitest";
import { textOfPage, wholePage, withScriptsLast } from "./rendered-page.server.ts";

const page =
  '<head><title>नक्शा</title><link rel="modulepreload" href="/a.js"/></head>' +
  '<body>₹199 &lt;script type="module"&gt;<script nonce="n" type="module" async="">import "/a.js"</script><script>window.__reactRouterContext.streamController = 1;</script></body></html>';

test("scripts are held back, and no letter is hurt", () => {
  const html = withScriptsLast(page, "", "abc");
  expect(html).toContain('<title>नक्शा</title><link rel="later-modulepreload" href="/a.js"/>');
  expect(html).toContain(
    '<body>₹199 &lt;script type="module"&gt;<script nonce="n" type="later/module"',
  );
  expect(html).toMatch(
    /<script nonce="abc">document\.currentScript[^<]*<\/script><\/body><\/html>$/,
  );
});

test("what the loaders gave reaches the router's client as it was, and ends no script", () => {
  const loaded = '["</script><!--", "\\u2028", "नक्शा $& $1"]';
  const html = withScriptsLast(page, loaded, "abc");
  const script = html.slice(html.lastIndexOf('<script nonce="abc">'));
  expect(script.match(/</g)).toHaveLength(4);
  const literal = /enqueue\((.*)\);\n/.exec(script)?.[1] ?? "";
  expect(JSON.parse(literal)).toBe(loaded);
});

test.each(["<h1>Nothing works</h1>", "<body><p>No scripts</p></body>"])(
  "a page without scripts stays as it is: %s",
  (html) => expect(withScriptsLast(html, "[]", "abc")).toBe(html),
);

test("a whole page is read as any other answer, also through another one", async () => {
  const page = "<!DOCTYPE html><p>नक्शा</p>";
  const answer = wholePage(page, { status: 404, headers: { "Content-Type": "text/html" } });
  const other = new Response(answer.body, answer);
  expect(await other.text()).toBe(page);
  expect([other.status, other.headers.get("content-type")]).toEqual([404, "text/html"]);
  expect(textOfPage(answer)).toBe(page);
});

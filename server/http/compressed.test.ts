import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { compressResponses } from "./compressed.ts";

const page = "<p>नमस्ते</p>".repeat(1000);
const app = new Hono();
app.use(compressResponses());
app.get("/page", (context) => context.html(page));
app.get("/file", (context) => context.body("%PDF", 200, { "Content-Type": "application/pdf" }));
app.get("/done", (context) => context.html("done", 200, { "Content-Encoding": "br" }));
let sendRest = () => {};
app.get("/slow", (context) => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("first"));
      sendRest = () => controller.close();
    },
  });
  return context.body(body, 200, { "Content-Type": "text/x-script" });
});
app.get("/gone", (context) => context.redirect("/page"));

test.each([
  ["gzip, deflate, br, zstd", "zstd", zstdDecompressSync],
  ["br, gzip", "br", brotliDecompressSync],
  ["gzip", "gzip", gunzipSync],
])("a client that accepts %s gets a page as %s", async (accepted, encoding, decompress) => {
  const response = await ask("/page", accepted);
  expect(response.headers.get("content-encoding")).toBe(encoding);
  expect(response.headers.get("vary")).toContain("Accept-Encoding");
  const sent = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get("content-length")).toBe(String(sent.length));
  expect(sent.length).toBeLessThan(page.length / 20);
  expect(decompress(sent).toString()).toBe(page);
});

test.each([
  ["a client without encodings", "/page", ""],
  ["a file", "/file", "br"],
  ["a redirect", "/gone", "br"],
  ["a page with a secret in its URL", "/page?token_hash=secret", "br"],
])("nothing is compressed for %s", async (_what, path, accepted) => {
  const response = await ask(path, accepted);
  expect(response.headers.has("content-encoding")).toBe(false);
  expect(response.bodyUsed).toBe(false);
});

test("a compressed response is not changed", async () => {
  expect(await (await ask("/done", "br")).text()).toBe("done");
});

test("the first chunk of a screen's data is sent before the rest", async () => {
  const response = await ask("/slow", "gzip");
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  expect(value!.length).toBeGreaterThan(0);
  sendRest();
  while (!(await reader.read()).done);
});

async function ask(path: string, accepted: string): Promise<Response> {
  return app.request(path, { headers: { "accept-encoding": accepted } });
}

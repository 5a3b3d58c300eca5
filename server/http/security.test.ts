import { Hono } from "hono";
import { expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import type { Env } from "./request.ts";
import { buildContentSecurityPolicy, setSecurityHeaders } from "./security.ts";

const imagesOn = (path: string) =>
  /img-src [^;]*/.exec(buildContentSecurityPolicy(testConfig(), "'none'", path))?.[0];

test.each(["/admin/reviews/completed", "/service-review", "/service-review/1"])(
  "%s may show images from other sites",
  (path) => expect(imagesOn(path)).toBe("img-src 'self' data: blob: https:"),
);

test.each(["/", "/admin/reviews", "/admin/reviews/completed-not", "/service-reviews", "/profile"])(
  "%s shows images of this site only",
  (path) => expect(imagesOn(path)).toBe("img-src 'self' data: blob:"),
);

test("every page has a content security policy and cannot be framed", async () => {
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    context.set("facts", { ...noFacts, nonce: "made-once" });
    await next();
  });
  app.use(setSecurityHeaders(testConfig()));
  app.get("/", (context) => context.html("<p>Hello</p>"));
  const { headers } = await app.request("/");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
  const policy = headers.get("content-security-policy")!.split("; ");
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("script-src 'self' 'nonce-made-once'");
  for (const name of ["object-src", "base-uri", "frame-ancestors"])
    expect(policy).toContain(`${name} 'none'`);
});

const noFacts = { id: "", clientAddress: "", toasts: [], shownToasts: [], setCookies: [] };

import { Hono } from "hono";
import { expect, test } from "vitest";
import { encodeToasts, readCarriedToasts } from "../../app/platform/toasts.server.ts";
import type { Toast } from "../../app/platform/app-context.server.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { listCookiesToSet, type Env, getRequestFacts } from "./request.ts";

const saved: Toast = { kind: "success", title: "Saved" };
const gone: Toast = { kind: "error", title: "Gone" };

test("new toasts are sent in a cookie", async () => {
  expect(await toastsAfter(undefined, ({ toasts }) => void toasts.push(saved))).toEqual([saved]);
});

test("toasts that a screen showed are removed from the cookie", async () => {
  expect(await toastsAfter([saved], ({ toasts }) => void toasts.splice(0))).toEqual([]);
});

test("a response that neither shows nor adds toasts does not change the cookie", async () => {
  expect(await toastsAfter([saved], () => {})).toBe("no cookie set");
  expect(await toastsAfter(undefined, () => {})).toBe("no cookie set");
});

test("pending toasts stay in the cookie with new ones", async () => {
  expect(await toastsAfter([saved], ({ toasts }) => void toasts.push(gone))).toEqual([saved, gone]);
});

test("a redirect keeps the toasts that its screen showed, and a replaced toast stays in the cookie", async () => {
  const take = ({ toasts, shownToasts }: Facts) => void shownToasts.push(...toasts.splice(0));
  expect(await toastsAfter([saved], take, 302)).toBe("no cookie set");
  const replace = ({ toasts }: Facts) => void toasts.splice(0, 1, gone);
  expect(await toastsAfter([saved], replace)).toEqual([gone]);
});

test("a cookie that cannot be read is removed", async () => {
  expect(await toastsAfter("nonsense", () => {})).toEqual([]);
});

test.each([
  ["192.0.2.9", "192.0.2.9", undefined],
  ["::ffff:192.0.2.9", "192.0.2.9", undefined],
  ["192.0.2.9", "192.0.2.9", "203.0.113.5"],
  ["192.0.2.1", "203.0.113.5", "198.51.100.7, 203.0.113.5"],
  ["::ffff:192.0.2.1", "203.0.113.5", "198.51.100.7, 203.0.113.5, 192.0.2.1"],
  ["10.9.8.7", "203.0.113.5", "203.0.113.5, 10.1.2.3"],
  ["fd00::7", "2001:db8::5", "203.0.113.5, 2001:db8::5, fd00::9"],
  ["fe80::7", "fe80::7", "203.0.113.5"],
  ["192.0.2.1", "203.0.113.5", "203.0.113.5:49152, 10.1.2.3:443"],
  ["192.0.2.1", "2001:db8::5", "[2001:db8::5]:49152"],
  ["192.0.2.1", "2001:db8::5", "[2001:db8::5], ::ffff:10.1.2.3"],
])(
  "a request from %s has the client address %s with X-Forwarded-For %s",
  async (remoteAddress, address, forwardedFor) => {
    const app = new Hono<Env>();
    const config = testConfig({ TRUSTED_PROXIES: "192.0.2.1, 10.0.0.0/8, fd00::/8" });
    app.get("/", (context) => context.text(getRequestFacts(context, config).clientAddress));
    const headers: Record<string, string> = forwardedFor ? { "x-forwarded-for": forwardedFor } : {};
    const response = await app.request(
      "/",
      { headers },
      { incoming: { socket: { remoteAddress } } },
    );
    expect(await response.text()).toBe(address);
  },
);

type Facts = ReturnType<typeof getRequestFacts>;

/** Returns the browser's toasts after an answer to a request with these toasts. */
async function toastsAfter(
  carried: Toast[] | string | undefined,
  answer: (facts: Facts) => void,
  status: 200 | 302 = 200,
): Promise<Toast[] | "no cookie set"> {
  const config = testConfig({});
  const app = new Hono<Env>();
  let cookies: string[] = [];
  app.get("/", async (context) => {
    const facts = getRequestFacts(context, config);
    context.set("facts", facts);
    answer(facts);
    context.res = new Response(null, { status });
    cookies = listCookiesToSet(context, config);
    return context.res;
  });
  const value = typeof carried === "string" ? carried : carried && encodeToasts(carried);
  await app.request(
    "/",
    { headers: value ? { cookie: `toasts=${value}` } : {} },
    { incoming: { socket: { remoteAddress: "127.0.0.1" } } },
  );
  const set = cookies.find((cookie) => cookie.startsWith("toasts="));
  return set === undefined
    ? "no cookie set"
    : readCarriedToasts(/toasts=([^;]*)/.exec(set)?.[1]).map(({ id: _id, ...toast }) => toast);
}

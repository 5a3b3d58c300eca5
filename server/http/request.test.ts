import { Hono } from "hono";
import { expect, test } from "vitest";
import { encodeToasts, readCarriedToasts } from "../../app/platform/toasts.server.ts";
import type { Toast } from "../../app/platform/app-context.server.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { listCookiesToSet, type Env, getRequestFacts } from "./request.ts";

const saved: Toast = { kind: "success", title: "Saved" };
const gone: Toast = { kind: "error", title: "Gone" };

test("toasts that an answer raised travel on in a cookie", async () => {
  expect(await toastsAfter(undefined, ({ toasts }) => void toasts.push(saved))).toEqual([saved]);
});

test("toasts that a screen showed are forgotten", async () => {
  expect(await toastsAfter([saved], ({ toasts }) => void toasts.splice(0))).toEqual([]);
});

test("an answer that showed none and raised none leaves the cookie as it is", async () => {
  expect(await toastsAfter([saved], () => {})).toBe("no cookie set");
  expect(await toastsAfter(undefined, () => {})).toBe("no cookie set");
});

test("what was waiting travels on with what is raised", async () => {
  expect(await toastsAfter([saved], ({ toasts }) => void toasts.push(gone))).toEqual([saved, gone]);
});

test("what a redirect's screen took is not lost, and one shown in place of another is kept", async () => {
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
])("who asks from %s asks as %s, where a proxy says %s", async (remoteAddress, address, said) => {
  const app = new Hono<Env>();
  const config = testConfig({ TRUSTED_PROXIES: "192.0.2.1, 10.0.0.0/8, fd00::/8" });
  app.get("/", (context) => context.text(getRequestFacts(context, config).clientAddress));
  const headers: Record<string, string> = said ? { "x-forwarded-for": said } : {};
  const answer = await app.request("/", { headers }, { incoming: { socket: { remoteAddress } } });
  expect(await answer.text()).toBe(address);
});

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

import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { getCookieName, expireCookie, readCookie, setCookie } from "./cookies.ts";

const secure = { origin: "https://example.com" };
const local = { origin: "http://localhost:3000" };
const toasts = { name: "toasts" };
const menu = { name: "side-menu", isForScripts: true };
const session = { name: "session", isOfPort: true };

test("a cookie is hidden from scripts and other sites", () => {
  expect(setCookie(toasts, "W10", 60, local)).toBe(
    "toasts=W10; Max-Age=60; Path=/; HttpOnly; SameSite=Lax",
  );
  expect(expireCookie(toasts, local)).toMatch(/^toasts=; Max-Age=0; Path=\/;/);
});

test("a cookie for scripts is readable by scripts", () => {
  expect(setCookie(menu, "folded", 9, local)).toBe(
    "side-menu=folded; Max-Age=9; Path=/; SameSite=Lax",
  );
});

test.each([toasts, menu, session])(
  "on https, the name of $name binds it to this host",
  (cookie) => {
    const set = setCookie(cookie, "x", 9, secure);
    expect(set).toMatch(new RegExp(`^__Host-${cookie.name}=x; Max-Age=9; Path=/; .*Secure; `));
    expect(readCookie(cookie, `${cookie.name}=theirs`, secure)).toBeNull();
    expect(readCookie(cookie, `__Host-${cookie.name}=ours`, secure)).toBe("ours");
  },
);

test("on loopback, a cookie's name can contain the port", () => {
  expect(setCookie(session, "x", 9, local)).toBe(
    "session-3000=x; Max-Age=9; Path=/; HttpOnly; SameSite=Lax",
  );
  expect(getCookieName(session, { origin: "http://localhost" })).toBe("session-80");
});

test("a cookie is found by its complete name", () => {
  const theme = { name: "theme" };
  expect(readCookie(theme, "my-theme=red; theme=dark; themes=3", local)).toBe("dark");
  expect(readCookie(theme, "theme=a%20b", local)).toBe("a b");
  expect(readCookie(theme, "theme=first;theme=second", local)).toBe("first");
  expect(readCookie(theme, setCookie(theme, "a; b=c", 9, local), local)).toBe("a; b=c");
  for (const header of [null, undefined, "", "themes=3", "theme", "theme=%E0%A4%A"])
    expect(readCookie(theme, header, local)).toBeNull();
});

test("only one file formats cookies", () => {
  const writers = globSync("{app,server}/**/*.{ts,tsx}").filter(
    (file) =>
      !file.includes(".test.") && /SameSite|Max-Age=|hono\/cookie/.test(readFileSync(file, "utf8")),
  );
  expect(writers).toEqual(["app/platform/cookies.ts"]);
});

import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endCookie, hostCookie, readCookie, setCookie } from "./cookies.ts";

const secure = hostCookie({ origin: "https://example.com" }, "session");
const local = hostCookie({ origin: "http://localhost:3000" }, "session");

test("a cookie is out of the reach of scripts, and stays on this site", () => {
  expect(setCookie({ name: "toasts" }, "W10", 60)).toBe(
    "toasts=W10; Max-Age=60; Path=/; HttpOnly; SameSite=Lax",
  );
  expect(endCookie({ name: "toasts" })).toMatch(/^toasts=; Max-Age=0; Path=\/;/);
});

test("one that scripts set has a path of its own where it is asked for", () => {
  const menu = { name: "side-menu", path: "/admin", isForScripts: true };
  expect(setCookie(menu, "folded", 9)).toBe(
    "side-menu=folded; Max-Age=9; Path=/admin; SameSite=Lax",
  );
});

test("one for this host alone is bound by its name, on loopback by the port", () => {
  expect(setCookie(secure, "x", 9)).toBe(
    "__Host-session=x; Max-Age=9; Path=/; HttpOnly; Secure; SameSite=Lax",
  );
  expect(setCookie(local, "x", 9)).toBe(
    "session-3000=x; Max-Age=9; Path=/; HttpOnly; SameSite=Lax",
  );
});

test("a cookie is read by its whole name, whatever stands beside it", () => {
  const theme = { name: "theme" };
  expect(readCookie(theme, "my-theme=red; theme=dark; themes=3")).toBe("dark");
  expect(readCookie(theme, "theme=a%20b")).toBe("a b");
  for (const header of [null, undefined, "", "themes=3", "theme"])
    expect(readCookie(theme, header)).toBeNull();
});

test("cookies are written in one file", () => {
  const writers = globSync("{app,server}/**/*.{ts,tsx}").filter(
    (file) =>
      !file.includes(".test.") && /SameSite|Max-Age=|hono\/cookie/.test(readFileSync(file, "utf8")),
  );
  expect(writers).toEqual(["app/platform/cookies.ts"]);
});

import { day, second } from "../platform/clock.ts";
import { type Cookie, readCookie, setCookie, type Site } from "../platform/cookies.ts";

/** Light, dark, or what the system says. In a cookie, so that the first byte is rendered right. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const themeCookie: Cookie = { name: "theme", isForScripts: true };

/** Builds the cookie, which lasts for a year. */
export function buildThemeCookie(theme: Theme, site: Site): string {
  return setCookie(themeCookie, theme, (365 * day) / second, site);
}

export function readTheme(cookies: string | null, site: Site): Theme {
  const found = readCookie(themeCookie, cookies, site);
  return themes.find((theme) => theme === found) ?? "system";
}

/** The paper of the two themes, as `app/ui/brand/tokens.css` has it, for where no style sheet reaches. */
export const paperColors = { light: "#f3f1e8", dark: "#0e171a" };

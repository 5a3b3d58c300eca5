import { day, second } from "../platform/clock.ts";
import { type Cookie, readCookie, setCookie, type Site } from "../platform/cookies.ts";

/** The themes. A cookie stores the choice, so that the server renders the right one. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const themeCookie: Cookie = { name: "theme", isForScripts: true };

/** Builds the cookie, which lasts for a year. */
export function buildThemeCookie(theme: Theme, site: Site): string {
  return setCookie(themeCookie, theme, (365 * day) / second, site);
}

export function readTheme(cookies: string | null, site: Site): Theme {
  const value = readCookie(themeCookie, cookies, site);
  return themes.find((theme) => theme === value) ?? "system";
}

/** The paper colours from `app/ui/brand/tokens.css`, for places without stylesheets. */
export const paperColors = { light: "#f3f1e8", dark: "#0b1720" };

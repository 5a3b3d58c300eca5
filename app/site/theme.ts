/** Light, dark, or what the system says. Kept in a cookie, so that the first byte is drawn right. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const themeCookie = "theme";

export function readTheme(cookieHeader: string | null): Theme {
  const found = /(?:^|;\s*)theme=(\w+)/.exec(cookieHeader ?? "")?.[1];
  return themes.find((theme) => theme === found) ?? "system";
}

/** Light, dark, or what the system says. Kept in a cookie, so that the first byte is drawn right. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const themeCookie = "theme";

export function readTheme(cookieHeader: string | null): Theme {
  const found = /(?:^|;\s*)theme=(\w+)/.exec(cookieHeader ?? "")?.[1];
  return themes.find((theme) => theme === found) ?? "system";
}

/** The paper of the two themes, as `app/ui/brand/tokens.css` has it, for where no style sheet reaches. */
export const paperColors = { light: "#f3f1e8", dark: "#0e171a" };

import { day, second } from "../platform/clock.ts";

const name = "side-menu";

/** The cookie that remembers for a week whether the side menu is folded, as a script sets it. */
export function sideMenuCookie(isFolded: boolean): string {
  return `${name}=${isFolded ? "folded" : "open"}; Path=/admin; Max-Age=${(7 * day) / second}; SameSite=Lax`;
}

export function readSideMenuCookie(header: string | null): boolean {
  return new RegExp(`(?:^|;\\s*)${name}=folded(?:;|$)`).test(header ?? "");
}

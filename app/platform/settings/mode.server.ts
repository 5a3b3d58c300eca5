/**
 * One setting decides between demonstration and real operation: `ORIGIN`. Unset or loopback means
 * demo, where every missing part has a stand-in. Any other origin means real, where database, mail
 * and payment settings are required and no stand-in exists.
 */
export type Mode = "demo" | "real";

/** @param origin as it was given; one that is no address is refused elsewhere. */
export function modeOf(origin: string | undefined): Mode {
  const isDemo = !origin || !URL.canParse(origin) || isLoopback(new URL(origin).hostname);
  return isDemo ? "demo" : "real";
}

/** Whether the name is this computer's own. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

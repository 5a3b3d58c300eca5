import type { Config } from "../platform/config.server.ts";

/**
 * The session cookie's name. On https it is bound to the host. On loopback http it names the port,
 * since cookies ignore ports and Safari drops secure cookies there.
 */
export function sessionCookie(config: Pick<Config, "origin" | "port">): {
  name: string;
  secure: boolean;
} {
  const secure = config.origin.startsWith("https:");
  return { name: secure ? "__Host-session" : `session-${config.port}`, secure };
}

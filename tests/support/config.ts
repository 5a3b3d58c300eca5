import { readConfig, type Config } from "../../app/platform/config.server.ts";

/** The configuration of a demonstration without any setting. */
export function testConfig(env: Record<string, string> = {}): Config {
  return readConfig({ LOG_LEVEL: "error", ...env });
}

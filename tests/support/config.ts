import { join } from "node:path";
import { diskStore } from "../../app/files/disk-store.server.ts";
import { readConfig, type Config } from "../../app/platform/config.server.ts";
import { mailTransport } from "../../app/mail/transport.server.ts";
import { productTasks } from "../../server/tasks.ts";
import { testPayments } from "./payments.ts";

/** The configuration of a demonstration without any setting. */
export function testConfig(env: Record<string, string> = {}): Config {
  return readConfig({ LOG_LEVEL: "error", ...env });
}

/** The product's tasks as they are wired in a demonstration. */
export function testTasks(config = testConfig(), payments = testPayments(config.payu)) {
  const store = diskStore(join(config.dataDir, "files"));
  return productTasks({ config, transport: mailTransport(config), payments, store });
}

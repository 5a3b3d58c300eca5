import { join } from "node:path";
import { createDiskStore } from "../../../app/files/disk-store.server.ts";
import {
  createDiskPartials,
  getUploadsFolder,
} from "../../../app/files/receive/partials.server.ts";
import { createMailTransport } from "../../../app/mail/transport.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { createLog } from "../../../app/platform/log.server.ts";
import type { Answer, Operator } from "../../../server/operator/command.ts";
import { readCommand } from "../../../server/operator/program.ts";
import { testConfig } from "./config.ts";
import { testPayments } from "../payments/payments.ts";

/** Returns the output of the operator's command line. */
export async function runCommand(
  db: Database,
  args: string[],
  parts: Partial<Operator> = {},
): Promise<string> {
  const command = readCommand(args);
  return typeof command === "string" ? command : (await answerTo(db, args, parts)).text;
}

/** Runs an operator command on a test's database, with the given parts. */
export async function answerTo(
  db: Database,
  args: string[],
  parts: Partial<Operator> = {},
): Promise<Answer> {
  const command = readCommand(args);
  if (typeof command === "string" || command.work.on !== "product")
    throw new Error(`${args.join(" ")} does not run on a database.`);
  const config = parts.app?.config ?? testConfig();
  return command.work.run({
    app: { db, config, log: createLog("silent") },
    payments: testPayments(),
    store: createDiskStore(join(config.dataDir, "files")),
    partials: createDiskPartials(getUploadsFolder(config)),
    transport: createMailTransport(config),
    readPassword: () => Promise.reject(new Error("There is no terminal to read a password.")),
    logProgress: () => {},
    ...parts,
  });
}

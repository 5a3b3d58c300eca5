import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { formatBytes } from "../../../app/files/rules.ts";
import type { FileStore } from "../../../app/files/store.server.ts";
import { createMailTransport } from "../../../app/mail/transport.server.ts";
import { verifyPayment } from "../../../app/payments/payu.server.ts";
import { second } from "../../../app/platform/clock.ts";
import type { Config } from "../../../app/platform/config.server.ts";
import { type Check, createFailure, createOk, createWarning } from "./finding.ts";

/** Mail, payments, files and the space for them. */
export function createServiceChecks(config: Config, store: FileStore): Check[] {
  return [
    {
      name: "mail",
      todo: "Compare SMTP_URL with what your mail provider gave you: server, port, name, password.",
      look: () => checkMail(config),
    },
    {
      name: "payments",
      todo: "Look whether this computer may reach PayU.",
      look: () => checkPayments(config),
    },
    {
      name: "files",
      todo: "Look whether the product may write where it keeps files.",
      look: () => checkFiles(store),
    },
    { name: "disk", todo: "Look whether DATA_DIR can be reached.", look: () => checkDisk(config) },
  ];
}

async function checkMail(config: Config) {
  if (!config.smtpUrl) return createOk("Not applicable: mail stays in the captured mailbox.");
  const transport = createMailTransport(config);
  try {
    await transport.verify();
    return createOk(
      `${new URL(config.smtpUrl).host} lets us in. To see one arrive: mail test <address>`,
    );
  } finally {
    transport.close();
  }
}

/** No one has an order of this name, so the provider can only answer that it knows none. */
async function checkPayments({ payu }: Config) {
  const said = await verifyPayment(payu, "TXN_DOCTOR", { timeout: 8 * second });
  if (said.outcome !== "unreachable") return createOk("PayU answers, and takes our key and salt.");
  if (payu.standInPorts) return createOk("Not applicable: the stand-in runs with the product.");
  const refused = said.reason.startsWith("did not mention");
  return createFailure(
    `PayU ${said.reason}`,
    refused
      ? "Compare PAYU_KEY, PAYU_SALT and PAYU_ENVIRONMENT with PayU's dashboard."
      : "Look whether this computer may reach PayU.",
  );
}

/** Writes a file, reads it and deletes it. */
async function checkFiles(store: FileStore) {
  const written = randomUUID();
  const path = `doctor/${written}.txt`;
  const folder = await mkdtemp(join(tmpdir(), "naksha-doctor-"));
  try {
    await writeFile(join(folder, "file"), written);
    await store.put("review-files", path, join(folder, "file"));
    const found = await store.open("review-files", path);
    const read = found && (await text(found.stream));
    if (read !== written) throw new Error("What was written could not be read again.");
    if (!(await store.delete("review-files", path))) throw new Error("It could not be deleted.");
    return createOk("One was written, read and deleted.");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** In bytes. */
const scarce = 2 * 1024 ** 3;
const nearlyNone = 200 * 1024 ** 2;

async function checkDisk({ dataDir }: Config) {
  await mkdir(dataDir, { recursive: true });
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const found = `${formatBytes(free)} free in ${dataDir}.`;
  const todo = "Make room, or move DATA_DIR to a larger disk.";
  if (free < nearlyNone) return createFailure(found, todo);
  return free < scarce ? createWarning(found, todo) : createOk(found);
}

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

/** Creates the checks of email, payments, files and disk space. */
export function createServiceChecks(config: Config, store: FileStore): Check[] {
  return [
    {
      name: "mail",
      todo: "Compare SMTP_URL with the server, port, user name and password from your email provider.",
      look: () => checkMail(config),
    },
    {
      name: "payments",
      todo: "Check that this computer can reach PayU.",
      look: () => checkPayments(config),
    },
    {
      name: "files",
      todo: "Check that the product can write to its file store.",
      look: () => checkFiles(store),
    },
    { name: "disk", todo: "Check that DATA_DIR is accessible.", look: () => checkDisk(config) },
  ];
}

async function checkMail(config: Config) {
  if (!config.smtpUrl) return createOk("Not applicable: email stays in the demo inbox.");
  const transport = createMailTransport(config);
  try {
    await transport.verify();
    return createOk(
      `Logged in to ${new URL(config.smtpUrl).host}. To send a test email: mail test <address>`,
    );
  } finally {
    transport.close();
  }
}

/** Asks about an order that does not exist, which needs a valid key and salt but changes nothing. */
async function checkPayments({ payu }: Config) {
  const result = await verifyPayment(payu, "TXN_DOCTOR", { timeout: 8 * second });
  if (result.outcome !== "unreachable")
    return createOk("PayU responds and accepts our key and salt.");
  if (payu.standInPorts)
    return createOk("Not applicable: the test payment page runs with the product.");
  const isRefused = result.reason.startsWith("did not mention");
  return createFailure(
    `PayU ${result.reason}`,
    isRefused
      ? "Compare PAYU_KEY, PAYU_SALT and PAYU_ENVIRONMENT with PayU's dashboard."
      : "Check that this computer can reach PayU.",
  );
}

/** Writes a file, reads it and deletes it. */
async function checkFiles(store: FileStore) {
  const content = randomUUID();
  const path = `doctor/${content}.txt`;
  const folder = await mkdtemp(join(tmpdir(), "naksha-doctor-"));
  try {
    await writeFile(join(folder, "file"), content);
    await store.put("review-files", path, join(folder, "file"));
    const file = await store.open("review-files", path);
    const readContent = file && (await text(file.stream));
    if (readContent !== content) throw new Error("The test file could not be read back.");
    if (!(await store.delete("review-files", path)))
      throw new Error("The test file could not be deleted.");
    return createOk("Wrote, read and deleted a test file.");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Free space in bytes. */
const warningBelow = 2 * 1024 ** 3;
const failureBelow = 200 * 1024 ** 2;

async function checkDisk({ dataDir }: Config) {
  await mkdir(dataDir, { recursive: true });
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const text = `${formatBytes(free)} free in ${dataDir}.`;
  const todo = "Free up space, or move DATA_DIR to a larger disk.";
  if (free < failureBelow) return createFailure(text, todo);
  return free < warningBelow ? createWarning(text, todo) : createOk(text);
}

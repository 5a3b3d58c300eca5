import { request } from "node:http";
import { join } from "node:path";
import { eq, isNull, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { users } from "../../app/accounts/tables.server.ts";
import { storedFiles } from "../../app/files/tables.server.ts";
import { mails } from "../../app/mail/tables.server.ts";
import { orders } from "../../app/payments/tables.server.ts";
import { serviceReviews } from "../../app/reviews/tables.server.ts";
import { testDatabase } from "../support/product/database.ts";
import { freePorts } from "../support/product/free-ports.ts";
import { mailServer } from "../support/servers/mail-servers.ts";
import { end, start } from "../support/product/own-product.ts";
import { type PassedOn, roundRobin } from "../support/servers/round-robin.ts";
import { s3Service } from "../support/servers/s3.ts";
import { tusClient } from "../support/requests/tus.ts";
import { megabyte, pdfOf } from "../support/requests/uploads.ts";
import { cookieOf, visitor } from "../support/requests/visitor.ts";
import { deleteDemoMails } from "../support/rows/mailbox.ts";
import { ownFolder } from "../support/product/own-folder.ts";

/**
 * Runs two web processes and a worker with one PostgreSQL and one bucket, behind a load balancer. Then kills some
 * of them.
 */

type Started = Awaited<ReturnType<typeof start>>;

const { db, url } = await testDatabase();
const s3 = await s3Service();
const folder = ownFolder();
const port = await freePorts(7);
const [first, second] = [port + 1, port + 2];
const origin = `http://localhost:${port}`;

let isMailHeld = false;
const mail = await mailServer({
  // Never accepts the email, because its sender is killed first.
  taking: () => (isMailHeld ? new Promise(() => {}) : Promise.resolve()),
  until: afterAll,
});
const proxy = await roundRobin(port, [first, second]);
const processes: Record<string, Started> = {};

function launch(role: "web" | "worker", at: number): Promise<Started> {
  return start({
    ...s3.env,
    ROLE: role,
    ORIGIN: origin,
    PORT: String(at),
    PAYU_STAND_IN_PORT: String(port + 5),
    DATABASE_URL: url,
    DATA_DIR: join(folder, String(at)),
    SMTP_URL: mail.url,
    RATE_LIMITS: "off",
  });
}

beforeAll(async () => {
  [processes.first, processes.second, processes.worker] = await Promise.all([
    launch("web", first),
    launch("web", second),
    launch("worker", port + 3),
  ]);
  await deleteDemoMails(db);
});

afterAll(async () => {
  proxy.close();
  await Promise.all(
    Object.values(processes).map(async ({ child }) => {
      if (child.exitCode === null && child.signalCode === null) await end(child, "SIGTERM");
    }),
  );
  await s3.close();
});

test("logging in, uploading and paying work across processes", async () => {
  const cookie = await signIn("ravi@example.com");
  const bytes = pdfOf(6 * megabyte);
  await upload(cookie, bytes);
  await pay(cookie);

  const [ravi] = await db.select().from(users).where(eq(users.email, "ravi@example.com"));
  const paid = await db.select().from(orders).where(eq(orders.buyerId, ravi!.id));
  expect(paid.map(({ status }) => status)).toEqual(["success"]);
  expect(await db.$count(serviceReviews, eq(serviceReviews.userId, ravi!.id))).toBe(1);
  const [file] = await db.select().from(storedFiles).where(eq(storedFiles.uploadedBy, ravi!.id));
  expect(file!.size).toBe(bytes.length);
  const chunks = proxy.passedOn.filter(({ what }) => what.startsWith("PATCH"));
  expect(new Set(chunks.map(({ to }) => to))).toEqual(new Set([first, second]));
});

test("a worker serves only health checks", async () => {
  const statuses = ["/livez", "/readyz", "/", "/jobs"].map(
    async (path) => (await fetch(`http://127.0.0.1:${port + 3}${path}`)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404]);
});

// Covered by "tests/operation/crashes.test.ts: notice takes effect once after a kill at COMMIT (committed, but not answered)".
test("killing a web process and the worker under load loses and repeats nothing @slow", async () => {
  const cookie = await signIn("asha@example.com");
  const tus = tusClient(origin, cookie);
  const bytes = pdfOf(8 * megabyte);
  const address = await tus.begin(
    { purpose: "resume", target: "resume_review", name: "asha.pdf" },
    bytes.length,
  );
  expect((await tus.send(address, 0, bytes.subarray(0, megabyte))).status).toBe(204);
  const hanging = await hangAt(first, new URL(address).pathname, tus.headers, bytes);

  isMailHeld = true;
  const load = underLoad(cookie);
  await expect.poll(() => db.$count(mails, isNull(mails.sentAt))).toBeGreaterThan(8);
  await expect.poll(() => db.$count(mails, sql`leased_until is not null`)).toBeGreaterThan(0);
  await Promise.all([
    end(processes.first!.child, "SIGKILL"),
    end(processes.worker!.child, "SIGKILL"),
  ]);
  hanging.destroy();
  isMailHeld = false;

  const offset = Number((await tus.head(address)).headers.get("Upload-Offset"));
  expect(offset).toBeGreaterThanOrEqual(megabyte);
  expect((await tus.send(address, offset, bytes.subarray(offset))).status).toBe(200);

  processes.worker = await launch("worker", port + 4);
  await expireLeases();
  const sent = await load.end();
  expect(sent).toBeGreaterThan(15);
  const bySurvivor = proxy.passedOn.filter(({ to }) => to === second);
  expect(bySurvivor.length).toBeGreaterThan(10);
  expect(bySurvivor.filter(isLost)).toEqual([]);
  expect(bugsOf(processes.second!)).toEqual([]);

  await expect.poll(() => db.$count(mails, isNull(mails.sentAt))).toBe(0);
  expect(await db.$count(mails, sql`cause like 'contact%'`)).toBeGreaterThanOrEqual(sent);
  const ids = mail.received.map((text) => /^Message-ID: (.*)$/im.exec(text)?.[1]);
  expect(ids).toHaveLength(new Set(ids).size);
  expect(ids).toHaveLength(await db.$count(mails));
});

function isLost({ status }: PassedOn): boolean {
  return status === null || status >= 500;
}

/** Lists a process's log lines that should never appear. */
function bugsOf({ printed }: Started): string[] {
  return printed()
    .split("\n")
    .filter((line) => line.includes('"level":50'));
}

/** Logs in a demo person with the demo password and returns the Cookie header. */
async function signIn(email: string): Promise<string> {
  const response = await visitor(origin).post("/login", { email, password: "demo-Password1" });
  expect(response.status).toBe(302);
  return cookieOf(response);
}

async function upload(cookie: string, bytes: Buffer): Promise<void> {
  const tus = tusClient(origin, cookie);
  const declared = { purpose: "resume", target: "resume_review", name: "ravi.pdf" };
  const address = await tus.begin(declared, bytes.length);
  const chunk = 2 * megabyte;
  for (let offset = 0; offset < bytes.length; offset += chunk) {
    const response = await tus.send(address, offset, bytes.subarray(offset, offset + chunk));
    expect(response.ok).toBe(true);
  }
}

/** Pays on the provider's page and returns, like a browser without scripts. */
async function pay(cookie: string): Promise<void> {
  const ravi = visitor(origin, cookie);
  const checkout = await ravi.beginPayment("/services/resume-review");
  const returned = await ravi.send((await ravi.payAtProvider(checkout))!);
  expect(returned.headers.get("location")).toContain("/payment-success?txnId=");
}

/** Starts an upload to one of the processes and stops halfway. */
async function hangAt(at: number, path: string, headers: Record<string, string>, bytes: Buffer) {
  const hanging = request({
    host: "127.0.0.1",
    port: at,
    path,
    method: "PATCH",
    headers: {
      ...headers,
      Host: `localhost:${port}`,
      "Content-Type": "application/offset+octet-stream",
      "Upload-Offset": megabyte,
      "Content-Length": bytes.length - megabyte,
    },
  });
  hanging.on("error", () => {});
  await new Promise((sent) => hanging.write(bytes.subarray(megabyte, 2 * megabyte), sent));
  return hanging;
}

/** Starts clients that read pages and send contact messages until they are stopped. */
function underLoad(cookie: string) {
  const over = new AbortController();
  let sent = 0;
  const readers = ["/", "/jobs", "/profile", "/services"].map(async (path) => {
    while (!over.signal.aborted)
      await fetch(origin + path, { headers: { cookie } }).then(
        (response) => response.text(),
        () => {},
      );
  });
  const writers = [1, 2].map(async (writer) => {
    for (let turn = 0; turn < 15; turn++) {
      const email = `person.${writer}.${turn}@example.com`;
      const message = { name: "Asha", subject: "Hello", message: "Does anyone read this?", email };
      const response = await visitor(origin)
        .post("/contact", message)
        .catch(() => null);
      if (response && response.status < 400) sent++;
    }
  });
  return {
    async end(): Promise<number> {
      await Promise.all(writers);
      over.abort();
      await Promise.all(readers);
      return sent;
    },
  };
}

/** Ends the leases of dead processes early. */
async function expireLeases(): Promise<void> {
  await db.execute(sql`update mails set leased_until = now() where leased_until is not null`);
  await db.execute(
    sql`update pgboss.job set started_on = started_on - interval '2 minutes' where state = 'active'`,
  );
}

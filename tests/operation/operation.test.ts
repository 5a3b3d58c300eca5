import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { storedFiles } from "../../app/files/tables.server.ts";
import { mails } from "../../app/mail/tables.server.ts";
import { testDatabase } from "../support/product/database.ts";
import { freePorts } from "../support/product/free-ports.ts";
import { mailServer } from "../support/servers/mail-servers.ts";
import { actAs, end, start } from "../support/product/own-product.ts";
import { productOn } from "../support/product/running.ts";
import { visitor } from "../support/requests/visitor.ts";
import { whenFileEnds } from "../support/product/when-file-ends.ts";
import { ownFolder } from "../support/product/own-folder.ts";
import { slowCases } from "../support/inventory/selection.ts";

/** Settings, logs and metrics of a running product. */

const testimonials = [
  { who: "Type designer, Chennai", says: "They saw what I had stopped seeing." },
  { who: "Game artist, Kochi", says: "One page, and I knew what to cut." },
];

test("pages show TESTIMONIALS, or quotes marked as samples", async () => {
  const { url } = await testDatabase();
  const unset = await productOn(url);
  for (const path of ["/", "/services"])
    expect(await textAt(unset.config.origin + path)).toMatch(/Sample<.*Sample</s);
  await unset.product.close();

  const set = await productOn(url, { TESTIMONIALS: JSON.stringify(testimonials) });
  for (const path of ["/", "/services"]) {
    const text = await textAt(set.config.origin + path);
    for (const { who, says } of testimonials)
      expect(text).toContain(`<p>${says}</p></blockquote><figcaption>${who}`);
    expect(text).not.toContain("Sample<");
  }
  await set.product.close();
});

test("a process that shuts down reports it, drains for DRAIN_SECONDS, then ends", async () => {
  const { url } = await testDatabase();
  const { product, config } = await productOn(url, { DRAIN_SECONDS: "2" });
  const statusOf = async (path: string) => (await fetch(config.origin + path)).status;
  expect(await statusOf("/readyz")).toBe(200);
  const ended = product.close();
  expect(await statusOf("/readyz")).toBe(503);
  for (const path of ["/livez", "/jobs"]) expect(await statusOf(path)).toBe(200);
  await ended;
  await expect(fetch(config.origin)).rejects.toThrow();
});

/** Records the loaded modules in the file named by SEEN_FILE. */
const recordModules = `
  import { registerHooks } from "node:module";
  import { writeFileSync } from "node:fs";
  import { isMainThread } from "node:worker_threads";
  const seen = new Set();
  const resolve = (specifier, context, next) => {
    const found = next(specifier, context);
    seen.add(found.url);
    return found;
  };
  registerHooks({ resolve });
  if (isMainThread) process.on("exit", () => writeFileSync(process.env.SEEN_FILE, [...seen].join("\\n")));
`;

type Collector = [name: string, set: Record<string, string>, used: string[]];

test.each<Collector>([
  ["no", {}, []],
  // Covered by "with no collector, unused libraries are not loaded".
  ...slowCases<Collector>([
    ["a", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, ["@opentelemetry/sdk-trace"]],
  ]),
])("with %s collector, unused libraries are not loaded", async (_, set, used) => {
  const { url } = await testDatabase();
  const folder = ownFolder(onTestFinished);
  const port = await freePorts(3);
  const seen = join(folder, "seen");
  const running = await start({
    DATABASE_URL: url,
    DATA_DIR: folder,
    PORT: String(port),
    SEEN_FILE: seen,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(recordModules)}`,
    ...set,
  });
  expect((await fetch(`http://localhost:${port}/login`)).status).toBe(200);
  expect(await end(running.child, "SIGTERM")).toBe(0);
  const loaded = await readFile(seen, "utf8");
  expect(loaded).toContain("node_modules/pg/");
  const heavy = ["@aws-sdk", "@opentelemetry/sdk-trace", "@node-rs/bcrypt", "csv-parse"];
  expect(heavy.filter((name) => loaded.includes(`node_modules/${name}/`))).toEqual(used);
});

const person = {
  name: "Wilhelmina Quint",
  email: "wilhelmina@example.com",
  password: "Never-in-a-log-1!",
  phone: "9812345670",
  file: "Quint-resume-of-May.pdf",
  token: "a-token-that-opens-everything",
};

/** Starts the product with logs and metrics, and lets people sign up, upload, pay and read. */
async function observe() {
  const { url: smtp } = await mailServer({
    answer: (address) => ({ code: 450, words: `4.2.1 <${address}>: busy` }),
    until: whenFileEnds,
  });
  const { db, url } = await testDatabase();
  const port = await freePorts(4);
  const { child, printed } = await start({
    PORT: String(port),
    METRICS_PORT: String(port + 3),
    DATA_DIR: ownFolder(),
    DATABASE_URL: url,
    LOG_LEVEL: "debug",
    SMTP_URL: smtp,
  });
  whenFileEnds(async () => void (await end(child, "SIGTERM")));
  const origin = `http://localhost:${port}`;
  const cookie = await actAs(origin, "ravi@example.com");
  const { get, tus, beginPayment, payAtProvider, send } = visitor(origin, cookie);
  await visitor(origin).post("/signup", {
    fullName: person.name,
    email: person.email,
    password: person.password,
    confirmPassword: person.password,
    terms: "accepted",
  });
  const resume = await readFile("tests/fixtures/files/resume.pdf");
  const declared = { purpose: "resume", target: "resume_review", name: person.file };
  await tus.send(await tus.begin(declared, resume.length), 0, resume);
  const checkout = await beginPayment("/services/resume-review", { phone: person.phone });
  await send((await payAtProvider(checkout))!);
  const isResume = eq(storedFiles.originalName, person.file);
  const [file] = await db.select().from(storedFiles).where(isResume);
  await get(`/storage/${file!.bucket}/${file!.path}`);
  await fetch(`${origin}/account-confirmation?token_hash=${person.token}`);
  for (let turn = 0; turn < 3; turn += 1) await fetch(`${origin}/${person.name}/${turn}`);
  for (let turn = 0; turn < 2; turn += 1) await fetch(`${origin}/jobs`);
  await expect.poll(printed).toContain("SMTP_URL");
  const metrics = await textAt(`http://127.0.0.1:${port + 3}/metrics`);
  return { db, origin, log: printed(), metrics, private: [cookie.split("=")[1]!, file!.path] };
}
let once: ReturnType<typeof observe> | undefined;
const observed = () => (once ??= observe());

test.each([
  ["POST", "/signup", 200],
  ["PATCH", "/uploads/:id", 200],
  ["POST", "/services/resume-review", 200],
  ["POST", "/payment-success", 303],
  ["GET", "/storage/*", 200],
  ["GET", "none", 404],
])("the log has each %s of %s with its status %i", async (method, route, status) => {
  const { log } = await observed();
  const lines = log.split("\n").filter((line) => line.includes(`"method":"${method}"`));
  const own = lines.filter((line) => line.includes(`"route":"${route}","status":${status},`));
  expect(own[0]).toMatch(/"level":30,.*"request":"[0-9a-f]{16}".*"ms":\d+/);
});

test("the metrics count what people do, and what waits", async () => {
  const { metrics } = await observed();
  for (const line of [
    'naksha_uploads_total{outcome="stored"} 1',
    'naksha_payments_total{outcome="started"} 1',
    'naksha_payments_total{outcome="success"} 1',
    'naksha_dependency_up{name="database"} 1',
    'naksha_dependency_up{name="store"} 1',
    'naksha_dependency_up{name="payu"} 1',
    'naksha_dependency_up{name="mail"} 0',
    'naksha_mails_unsent{state="failed"} 0',
    'naksha_cache_reads_total{cache="pages",result="hit"} 1',
    'naksha_http_request_duration_seconds_count{method="GET",route="none",status="4xx"} 3',
    'naksha_queue_waiting{queue="deliver-mail"}',
    'naksha_queue_oldest_seconds{queue="deliver-mail"}',
    'naksha_database_connections{pool="pages",state="idle"}',
    "nodejs_eventloop_lag_p99_seconds",
  ])
    expect(metrics).toContain(line);
  expect(metrics).toMatch(/naksha_mails_unsent\{state="waiting"\} [1-9]/);
});

test("the log and the admins' overview say which service fails", async () => {
  const { origin, log } = await observed();
  expect(log).toMatch(/"level":50,.*4\.2\.1.*Check that the SMTP_URL server answers/);
  const admin = visitor(origin, await actAs(origin, "gita@example.in"));
  const overview = await (await admin.get("/admin")).text();
  expect(overview).toMatch(/Failing services.*The mail server.*4\.2\.1/s);
  expect(overview).not.toContain("The file store");
});

test("neither the log nor the metrics have personal data", async () => {
  const { db, log, metrics, ...observation } = await observed();
  const emails = await db.select({ text: mails.text }).from(mails);
  const tokens = emails.flatMap(({ text }) => /token_hash=([\w-]+)/.exec(text)?.slice(1) ?? []);
  expect(tokens).not.toEqual([]);
  const names = [encodeURIComponent(person.name), "ravi@example.com", "Ravi Nair"];
  const secrets = [...Object.values(person), ...names, ...observation.private, ...tokens];
  for (const text of [log, metrics])
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

async function textAt(address: string): Promise<string> {
  return (await fetch(address)).text();
}

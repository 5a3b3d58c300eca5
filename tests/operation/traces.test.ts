import { buffer } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { openObjects } from "../../app/files/s3-store.server.ts";
import { createMailTransport } from "../../app/mail/transport.server.ts";
import { createLog } from "../../app/platform/log.server.ts";
import { sendTraces } from "../../server/process/open-telemetry.ts";
import { getCurrentTrace, runTraced } from "../../app/platform/traces.server.ts";
import { createPayments } from "../../server/services/services.ts";
import { testConfig } from "../support/product/config.ts";
import { testDatabase } from "../support/product/database.ts";
import { startServer } from "../support/servers/http.ts";
import { mailServer } from "../support/servers/mail-servers.ts";
import { s3Service } from "../support/servers/s3.ts";
import { testServer } from "../support/product/server.ts";
import { ownFolder } from "../support/product/own-folder.ts";

/** Tests the spans that the real exporter sends to a collector. */

const database = await testDatabase();
const { db } = database;
const silent = createLog("silent");

type ReceivedSpan = {
  trace: string;
  id: string;
  parent: string;
  name: string;
  kind: number;
  facts: Record<string, string | number>;
  failed: boolean;
};

/** Starts a collector for OTLP over HTTP. */
async function collector() {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: unknown[] = [];
  const { origin, stop } = await startServer(async (request, response) => {
    const body = await buffer(request);
    bodies.push(body);
    headers.push({ url: request.url, key: request.headers["api-key"] });
    spans.push(...spansIn(body));
    response.setHeader("Content-Type", "application/x-protobuf").end();
  });
  onTestFinished(stop);
  return { spans, bodies, headers, endpoint: origin };
}

const settings = { headers: {}, serviceName: "naksha", share: 1 };

test("a trace has database, mail, payment and storage calls without personal data", async () => {
  const received = await collector();
  const end = sendTraces(
    { ...settings, endpoint: received.endpoint, headers: { "api-key": "secret" } },
    silent,
  );
  const mail = await mailServer();
  const bucket = await s3Service();
  onTestFinished(() => bucket.close());
  const config = testConfig({ SMTP_URL: mail.url });
  const transport = createMailTransport(config);
  const nowhere = { ...config.payu, commandUrl: "http://127.0.0.1:9/postservice.php" };
  const secret = "wilhelmina.quint@example.com";
  await runTraced({ name: "task try", kind: "consumer" }, async () => {
    await db.execute(sql`select ${secret}::text as one`);
    const to = { to: secret, replyTo: null, messageId: "1@example.com" };
    await transport.send(
      { ...to, subject: secret, html: secret, text: secret },
      new AbortController().signal,
    );
    await createPayments(config, nowhere).verify(`TXN_${secret}`);
    await openObjects(bucket.settings).put(`resumes/${secret}`, secret);
    await db.execute(sql`select ${secret}::no_such_type`).catch(() => {});
  });
  transport.close();
  await end();

  expect(received.headers).toContainEqual({ url: "/v1/traces", key: "secret" });
  const [task] = received.spans.filter(({ name }) => name === "task try");
  const below = received.spans.filter(({ parent }) => parent === task!.id);
  expect(below.map(({ name }) => name)).toEqual([
    "SELECT",
    "mail send",
    "payu verify_payment",
    "s3 PutObjectCommand",
    "SELECT",
  ]);
  expect(below.every(({ trace }) => trace === task!.trace)).toBe(true);
  expect(below[0]!.facts).toMatchObject({
    "db.system.name": "postgresql",
    "db.query.text": "select $1::text as one",
  });
  expect(below.map(({ failed }) => failed)).toEqual([false, false, true, false, true]);
  expect(below[4]!.facts["error.type"]).toBe("QueryFailed");
  for (const body of received.bodies) expect(body.toString("latin1")).not.toContain("quint");
});

test("requests are traced by route pattern, and log lines have the trace id", async () => {
  const received = await collector();
  const folder = ownFolder(onTestFinished);
  const server = await testServer(database, { DATA_DIR: folder });
  const end = sendTraces({ ...settings, endpoint: received.endpoint }, silent);
  const answers = ["/storage/resumes/private?token=quint", "/robots.txt?q=quint", "/livez"];
  for (const path of answers) await fetch(server.origin + path).then((answer) => answer.text());
  const lines: { trace_id?: string }[] = [];
  const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line)) });
  await runTraced({ name: "task try", kind: "consumer" }, async () => {
    log.info("within");
    expect(getCurrentTrace()).toMatchObject({ trace_id: lines[0]!.trace_id });
  });
  log.info("outside");
  await end();
  const requests = received.spans.filter(({ kind }) => kind === 2);
  expect(requests.map(({ name }) => name)).toEqual(["GET none", "GET /robots.txt"]);
  expect(requests[0]!.facts).toMatchObject({
    "http.request.method": "GET",
    "http.response.status_code": 404,
    "naksha.request": expect.stringMatching(/^[\da-f]{16}$/),
  });
  expect(lines[0]!.trace_id).toMatch(/^[\da-f]{32}$/);
  expect(lines[1]!.trace_id).toBeUndefined();
  for (const body of received.bodies) {
    expect(body.toString("latin1")).not.toContain("quint");
    expect(body.toString("latin1")).not.toContain("private");
  }
});

test("queries outside of requests and tasks are not traced", async () => {
  const received = await collector();
  const end = sendTraces({ ...settings, endpoint: received.endpoint }, silent);
  await db.execute(sql`select 1`);
  await end();
  expect(received.spans).toEqual([]);
});

test("an unreachable collector is logged and does not block work or shutdown", async () => {
  const lines: string[] = [];
  const log = createLog("warn", { write: (line) => void lines.push(line) });
  const end = sendTraces({ ...settings, endpoint: "http://127.0.0.1:9" }, log);
  for (let turn = 0; turn < 3000; turn++)
    expect(await runTraced({ name: "task try", kind: "consumer" }, async () => turn)).toBe(turn);
  await end();
  expect(lines.join("")).toContain("traces not accepted");
});

/** Decodes the spans of an ExportTraceServiceRequest. */
function spansIn(body: Buffer): ReceivedSpan[] {
  return all(body, 1)
    .flatMap((resource) => all(resource, 2))
    .flatMap((scope) => all(scope, 2))
    .map((span) => ({
      trace: first(span, 1).toString("hex"),
      id: first(span, 2).toString("hex"),
      parent: first(span, 4).toString("hex"),
      name: first(span, 5).toString(),
      kind: number(span, 6),
      facts: Object.fromEntries(all(span, 9).map(readFact)),
      failed: number(first(span, 15), 3) === 2,
    }));
}

function readFact(pair: Buffer): [string, string | number] {
  const value = first(pair, 2);
  const text = all(value, 1)[0];
  return [first(pair, 1).toString(), text ? text.toString() : number(value, 3)];
}

const all = (message: Buffer, field: number) =>
  fieldsOf(message).flatMap(({ at, bytes }) => (at === field && bytes ? [bytes] : []));
const first = (message: Buffer, field: number) => all(message, field)[0] ?? Buffer.alloc(0);
const number = (message: Buffer, field: number) =>
  fieldsOf(message).find(({ at }) => at === field)?.number ?? 0;

function fieldsOf(message: Buffer): { at: number; number?: number; bytes?: Buffer }[] {
  const fields: ReturnType<typeof fieldsOf> = [];
  let place = 0;
  const varint = () => {
    let read = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[place++]!;
      read += (byte & 127) * 2 ** shift;
      if (byte < 128) return read;
    }
  };
  while (place < message.length) {
    const tag = varint();
    const [at, wire] = [tag >>> 3, tag & 7];
    if (wire === 0) fields.push({ at, number: varint() });
    else if (wire === 2) {
      const length = varint();
      fields.push({ at, bytes: message.subarray(place, place + length) });
      place += length;
    } else place += wire === 1 ? 8 : 4;
  }
  return fields;
}

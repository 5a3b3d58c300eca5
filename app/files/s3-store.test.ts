import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../tests/support/servers/http.ts";
import { now, second } from "../platform/clock.ts";
import type { S3Settings } from "../platform/config.server.ts";
import { Unavailable } from "../platform/errors.ts";
import type { Leases } from "../platform/leases.server.ts";
import { type Objects, openObjects, createS3Store } from "./s3-store.server.ts";

/** Starts a service with these answers, and records its requests. */
async function service(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  patience?: number,
) {
  const asked: IncomingMessage[] = [];
  const { origin, stop } = await startServer((request, response) => {
    asked.push(request);
    request.resume().on("end", () => answer(request, response));
  });
  onTestFinished(stop);
  const objects = openObjects({ ...settings, endpoint: origin }, patience);
  return { objects, asked, address: origin };
}

const settings: Omit<S3Settings, "endpoint"> = {
  bucket: "files",
  region: "auto",
  accessKeyId: "key",
  secretAccessKey: randomUUID(),
  isPathStyle: true,
  spoolBytes: 1,
};

test("an existing object isn't overwritten if the service supports conditions", async () => {
  const { objects, asked } = await service((_request, response) => response.writeHead(412).end());
  expect(await objects.put("resumes/a", "x", { onlyNew: true })).toBe(false);
  expect(asked[0]!.headers["if-none-match"]).toBe("*");
});

test("the condition is no longer sent to a service without support", async () => {
  const { objects, asked } = await service((request, response) =>
    response.writeHead(request.headers["if-none-match"] ? 501 : 200).end(),
  );
  expect(await objects.put("resumes/a", "x", { onlyNew: true })).toBe(true);
  const before = asked.length;
  expect(await objects.put("resumes/b", "x", { onlyNew: true })).toBe(true);
  expect(asked.slice(before)).toHaveLength(1);
});

test("no trailer is sent after a body", async () => {
  const { objects, asked } = await service((_request, response) => response.writeHead(200).end());
  await objects.put("resumes/a", "x");
  const { headers } = asked[0]!;
  expect(headers["content-length"]).toBe("1");
  expect(Object.keys(headers).filter((name) => /trailer|checksum/.test(name))).toEqual([]);
});

test("a put is retried a few times after a closed connection", async () => {
  let ends = 2;
  const { objects, asked } = await service((request, response) => {
    ends -= 1;
    if (ends >= 0) request.socket.destroy();
    else response.writeHead(200).end();
  });
  const file = { path: "tests/fixtures/files/resume.pdf" };
  await objects.put("resumes/a", file);
  const size = String((await stat(file.path)).size);
  expect(asked.map(({ headers }) => headers["content-length"])).toEqual([size, size, size]);
  ends = Infinity;
  await expect(objects.put("resumes/a", file)).rejects.toThrow();
  expect(asked).toHaveLength(6);
});

test("a download that stops is aborted", async () => {
  const { objects } = await service(
    (_request, response) => response.writeHead(200, { "Content-Length": "9" }).write("half"),
    second / 2,
  );
  const found = await objects.get("resumes/a");
  await expect(text(found!.content)).rejects.toThrow("timed out");
});

test("a refused request is neither a missing file nor temporary", async () => {
  const { objects } = await service((_request, response) => response.writeHead(403).end());
  await expect(objects.head("resumes/a")).rejects.not.toBeInstanceOf(Unavailable);
  await expect(objects.get("resumes/a")).rejects.not.toBeInstanceOf(Unavailable);
});

const page = "<html><body><h1>Asha &nbsp;</h1><hr><br></body></html>";
const answers = (status: number, body: string) => (_request: unknown, response: ServerResponse) =>
  response.writeHead(status, { "Content-Type": "text/html" }).end(body);

const troubles: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  "is overloaded": answers(
    503,
    "<Error><Code>SlowDown</Code><Resource>/resumes/asha</Resource></Error>",
  ),
  "ends each connection": (request) => request.socket.destroy(),
  "resets each connection": (request) => request.socket.resetAndDestroy(),
  "does not answer": () => {},
  "answers in another protocol": ({ socket }) => void socket.end("SSH-2.0-asha\r\n"),
  "stops within its headers": ({ socket }) => void socket.end("HTTP/1.1 200 OK\r\nasha"),
  "has a proxy that answers 500 in HTML": answers(500, page),
  "has a proxy that answers 502 in HTML": answers(502, page),
  "has a proxy that answers 503 in JSON": answers(503, '{"error":"asha"}'),
  "has a proxy that answers 504 in plain text": answers(504, "upstream timed out"),
  "has a proxy that answers 520": answers(520, "error code: 520"),
  "answers 507 without a word": answers(507, ""),
  "answers 408": answers(408, ""),
  "answers 429 in HTML": answers(429, page),
};

test.for(Object.entries(troubles))(
  "every call to a service that %s is Unavailable",
  async ([, answer]) => {
    const { objects } = await service(answer, second / 4);
    await expectAway(objects);
  },
);

test.each([
  ["refuses connections", "http://127.0.0.1:1"],
  ["refuses them at each of its addresses", "http://localhost:1"],
  ["has no address", "http://store.invalid"],
])("every call to a service that %s is Unavailable", async (_what, endpoint) => {
  await expectAway(openObjects({ ...settings, endpoint }, second / 4));
});

test("every call to a service without TLS is Unavailable", async () => {
  const { address } = await service((_request, response) => response.end());
  const endpoint = address.replace("http:", "https:");
  await expectAway(openObjects({ ...settings, endpoint }, second / 4));
});

// Covered by "every call to a service without TLS".
test("temporary S3 errors are Unavailable with any status @slow", async () => {
  for (const code of ["RequestTimeout", "SlowDown", "OperationAborted"]) {
    const { objects } = await service(answers(400, `<Error><Code>${code}</Code></Error>`));
    await expect(objects.get("resumes/a")).rejects.toBeInstanceOf(Unavailable);
  }
});

test("an answer in HTML is retried", async () => {
  let failures = 2;
  const { objects, asked } = await service((request, response) => {
    failures -= 1;
    if (failures >= 0) answers(502, page)(request, response);
    else response.writeHead(200).end();
  });
  await objects.put("resumes/a", "x");
  expect(asked).toHaveLength(3);
});

test("a list answered by another program is refused", async () => {
  const { objects } = await service(answers(200, page));
  const listed = objects.list("resumes/")[Symbol.asyncIterator]().next();
  await expect(listed).rejects.toBeInstanceOf(Unavailable);
});

test("a reader gets an error when the service fails midway", async () => {
  const { objects } = await service((request, response) => {
    response.writeHead(200, { "Content-Length": "9", "Last-Modified": now().toUTCString() });
    response.write("half", () => request.socket.destroy());
  });
  const store = createS3Store(objects, {} as Leases);
  const found = await store.open("resumes", "asha/resume.pdf");
  await expect(text(found!.stream)).rejects.toBeInstanceOf(Unavailable);
});

async function expectAway(objects: Objects): Promise<void> {
  const uses = [
    objects.put("resumes/asha", "x"),
    objects.put("resumes/asha", { path: "tests/fixtures/files/resume.pdf" }),
    objects.get("resumes/asha"),
    objects.head("resumes/asha"),
    objects.delete("resumes/asha"),
    objects.list("resumes/")[Symbol.asyncIterator]().next(),
  ];
  for (const use of await Promise.allSettled(uses)) {
    const { reason } = use as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(Unavailable);
    expect(reason.message).toBe("Our file storage is unavailable. Please try again in a minute.");
    expect(reason.why).not.toMatch(/asha/i);
  }
}

test("a reader who stops early closes the connection", async () => {
  const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
  const { objects } = await service((_request, response) => {
    response.on("close", onClose);
    response.writeHead(200, { "Content-Length": 50_000_000, "Last-Modified": now().toUTCString() });
    response.write(Buffer.alloc(1000));
  });
  const found = await objects.get("resumes/a");
  found!.content.destroy();
  await closed;
});

import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { keepingServer } from "../../tests/support/servers/http.ts";
import { second } from "../platform/clock.ts";
import type { S3Settings } from "../platform/config.server.ts";
import { Unavailable } from "../platform/errors.ts";
import { openObjects } from "./s3-store.server.ts";

/** A service that answers as told, and what it was asked. */
async function service(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  patience?: number,
) {
  const asked: IncomingMessage[] = [];
  const server = keepingServer((request, response) => {
    asked.push(request);
    request.resume().on("end", () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: "files",
    region: "auto",
    accessKeyId: "key",
    secretAccessKey: randomUUID(),
    isPathStyle: true,
    spoolBytes: 1,
  };
  return { objects: openObjects(settings, patience), asked };
}

test("where a service compares, an object that is there stays as it is", async () => {
  const { objects, asked } = await service((_request, response) => response.writeHead(412).end());
  expect(await objects.put("resumes/a", "x", { onlyNew: true })).toBe(false);
  expect(asked[0]!.headers["if-none-match"]).toBe("*");
});

test("a service that does not know the condition is asked without it from then on", async () => {
  const { objects, asked } = await service((request, response) =>
    response.writeHead(request.headers["if-none-match"] ? 501 : 200).end(),
  );
  expect(await objects.put("resumes/a", "x", { onlyNew: true })).toBe(true);
  const before = asked.length;
  expect(await objects.put("resumes/b", "x", { onlyNew: true })).toBe(true);
  expect(asked.slice(before)).toHaveLength(1);
});

test("nothing is sent behind a body, which older services refuse", async () => {
  const { objects, asked } = await service((_request, response) => response.writeHead(200).end());
  await objects.put("resumes/a", "x");
  const { headers } = asked[0]!;
  expect(headers["content-length"]).toBe("1");
  expect(Object.keys(headers).filter((name) => /trailer|checksum/.test(name))).toEqual([]);
});

test("a file is sent anew when the service has ended the connection, and not for ever", async () => {
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

test("an object that stops coming is not waited for without end", async () => {
  const { objects } = await service(
    (_request, response) => response.writeHead(200, { "Content-Length": "9" }).write("half"),
    second / 2,
  );
  const found = await objects.get("resumes/a");
  await expect(text(found!.content)).rejects.toThrow("timed out");
});

test("what a service refuses is no missing file, and no matter of waiting", async () => {
  const { objects } = await service((_request, response) => response.writeHead(403).end());
  await expect(objects.head("resumes/a")).rejects.not.toBeInstanceOf(Unavailable);
  await expect(objects.get("resumes/a")).rejects.not.toBeInstanceOf(Unavailable);
});

const troubles = {
  "is overloaded": (_request: IncomingMessage, response: ServerResponse) =>
    response
      .writeHead(503)
      .end("<Error><Code>SlowDown</Code><Resource>/resumes/asha</Resource></Error>"),
  "ends each connection": (request: IncomingMessage) => request.socket.destroy(),
};

test.for(Object.entries(troubles))(
  "a service that %s is away, whatever it is asked",
  async ([, answer]) => {
    const { objects } = await service(answer);
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
      expect(reason.message).toBe(
        "We cannot reach our files just now. Please try again in a minute.",
      );
      expect(reason.why).not.toContain("asha");
    }
  },
);

test("a reader who leaves early closes the connection to the service", async () => {
  const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
  const { objects } = await service((_request, response) => {
    response.on("close", onClose);
    response.writeHead(200, {
      "Content-Length": 50_000_000,
      "Last-Modified": new Date().toUTCString(),
    });
    response.write(Buffer.alloc(1000));
  });
  const found = await objects.get("resumes/a");
  found!.content.destroy();
  await closed;
});

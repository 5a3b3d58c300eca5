import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { hour } from "../../app/platform/clock.ts";
import { createHttpServer } from "./http-server.ts";
import { listenOn } from "../../tests/support/servers/http.ts";

/** Longer than any test, so that only a timeout that a test shortens can end. */
const timeouts = { headers: hour, form: hour, resume: hour, upload: hour, idle: hour };

/** More bytes than these tests send one at a time. */
const endless = 20_000;
const head = "GET / HTTP/1.1\r\nHost: x\r\nX: ";
const form = `POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: ${endless}\r\n\r\n`;
const resume = form.replace("/login", "/services/resume-check");
const upload = "POST /uploads HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n";

test.each([
  ["sends nothing", [], { headers: 300 }],
  ["sends the headers one byte at a time", [head, ...toBytes(endless)], { headers: 300 }],
  ["sends a form one byte at a time", [form, ...toBytes(endless)], { form: 300 }],
  ["stops halfway through a form", [form, "half"], { form: 300 }],
  ["sends a resume one byte at a time", [resume, ...toBytes(endless)], { resume: 300 }],
  ["stops halfway through a file", [upload, "half"], { idle: 300 }],
  ["never reads a long response", ["GET /long HTTP/1.1\r\nHost: x\r\n\r\n"], { idle: 300 }],
])("a client that %s is disconnected", async (_what, pieces, short) => {
  const { socket, closed } = await open({ ...timeouts, ...short });
  void sendSlowly(socket, pieces);
  await closed;
});

// Covered by "a client that stops halfway through a file is disconnected".
test("a slow upload gets more time than a form @slow", async () => {
  const { socket } = await open({ ...timeouts, form: 300 });
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk));
  await sendSlowly(socket, [upload, ...toBytes(100)]);
  await expect.poll(() => answer).toContain("read 100");
});

function toBytes(count: number): string[] {
  return Array.from({ length: count }, () => "x");
}

/** Opens a connection without reading responses; `closed` resolves when the server closes it. */
async function open(
  limits: typeof timeouts,
): Promise<{ socket: Socket; closed: Promise<unknown> }> {
  const server = createHttpServer(
    (request, response) => {
      if (request.url === "/long") return void response.end("x".repeat(50_000_000));
      let length = 0;
      request.on("data", (chunk: Buffer) => (length += chunk.length));
      request.on("end", () => response.end(`read ${length}`));
    },
    {},
    limits,
  );
  const closed = new Promise((resolve) =>
    server.once("connection", (accepted: Socket) => accepted.once("close", resolve)),
  );
  const socket = connect(await listenOn(server), "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  await once(socket, "connect");
  return { socket, closed };
}

async function sendSlowly(socket: Socket, pieces: string[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    socket.write(piece);
    await sleep(20);
  }
}

import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createHttpServer } from "./http-server.ts";

/** All but the time of an upload is far shorter than a busy computer may stand still. */
const patience = { headers: 300, form: 600, upload: 120_000, idle: 1_500 };

/** More than comes drop by drop while any of these tests waits. */
const endless = 20_000;
const head = "GET / HTTP/1.1\r\nHost: x\r\nX: ";
const form = `POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: ${endless}\r\n\r\n`;
const upload = "POST /uploads HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n";

test.each([
  ["says nothing", [], 300],
  ["sends the head of a request drop by drop", [head, ...drops(endless)], 300],
  ["sends a form drop by drop", [form, ...drops(endless)], 600],
  ["sends half a form and nothing more", [form, "half"], 600],
  ["sends half a file and nothing more", [upload, "half"], 1_500],
  ["reads nothing of a long answer", ["GET /long HTTP/1.1\r\nHost: x\r\n\r\n"], 1_500],
])("who %s is not waited for", async (_what, pieces, ms) => {
  const { socket, closed } = await open();
  const begun = performance.now();
  void drip(socket, pieces);
  await closed;
  const took = performance.now() - begun;
  expect(took).toBeGreaterThan(ms * 0.9);
  expect(took).toBeLessThan(patience.upload / 2);
});

test("a file that comes slowly is waited for longer than a form", async () => {
  const { socket } = await open();
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk));
  await drip(socket, [upload, ...drops(100)]);
  await expect.poll(() => answer).toContain("read 100");
});

function drops(count: number): string[] {
  return Array.from({ length: count }, () => "x");
}

/** A connection whose answers are not read, and when the server closed it. */
async function open(): Promise<{ socket: Socket; closed: Promise<unknown> }> {
  const server = createHttpServer(
    (request, response) => {
      if (request.url === "/long") return void response.end("x".repeat(50_000_000));
      let length = 0;
      request.on("data", (chunk: Buffer) => (length += chunk.length));
      request.on("end", () => response.end(`read ${length}`));
    },
    {},
    patience,
  );
  const closed = new Promise((resolve) =>
    server.once("connection", (accepted: Socket) => accepted.once("close", resolve)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  await once(socket, "connect");
  return { socket, closed };
}

async function drip(socket: Socket, pieces: string[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    socket.write(piece);
    await sleep(20);
  }
}

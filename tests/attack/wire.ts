import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";

/** One answer, with header names in lower case and the body decompressed. */
export type Answer = { status: number; headers: Map<string, string>; body: string };

/** Everything received over one connection, and whether the other side closed it. */
export type Heard = { bytes: Buffer; isClosed: boolean };

/** The wait after an unfinished request, in milliseconds. */
const pause = 150;
/** The limit for any answer, in milliseconds. */
const longest = 60_000;

/**
 * Sends raw bytes over a new connection, and returns everything until the other side closes it.
 *
 * @param isWhole false closes our side after a moment, because the server may wait for more
 */
export async function exchange(port: number, sent: Buffer, isWhole = true): Promise<Heard> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const parts: Buffer[] = [];
  let isClosed = false;
  socket.on("data", (part: Buffer) => parts.push(part));
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) =>
    socket.once("close", () => {
      isClosed = true;
      resolve();
    }),
  );
  socket.write(sent);
  if (!isWhole) {
    await Promise.race([closed, sleep(pause)]);
    socket.end();
  }
  const waiting = new AbortController();
  await Promise.race([closed, sleep(longest, null, { signal: waiting.signal }).catch(() => {})]);
  waiting.abort();
  socket.destroy();
  return { bytes: Buffer.concat(parts), isClosed };
}

/** Returns a raw request that asks to close its connection. */
function requestText(
  method: string,
  target: string,
  headers: Record<string, string>,
  body = "",
): string {
  const all = {
    ...headers,
    Connection: "close",
    ...(body !== "" && { "Content-Length": String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/** Sends one request and reads its answer. */
export async function ask(
  port: number,
  method: string,
  target: string,
  headers: Record<string, string>,
  body = "",
): Promise<Answer> {
  const text = requestText(method, target, headers, body);
  const { bytes } = await exchange(port, Buffer.from(text, "latin1"));
  const [answer] = answersIn(bytes, method === "HEAD");
  if (!answer) throw new Error(`No answer to ${text.slice(0, 200)}`);
  return answer;
}

/**
 * Parses the consecutive answers of a connection, without interim ones.
 *
 * @throws {Error} if anything else is in between
 */
export function answersIn(heard: Buffer, toHead = false): Answer[] {
  const answers: Answer[] = [];
  let rest = heard;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    const [line = "", ...fields] = rest
      .subarray(0, Math.max(end, 0))
      .toString("latin1")
      .split("\r\n");
    const [, code] = /^HTTP\/1\.[01] (\d{3})( |$)/.exec(line) ?? [];
    if (!code) throw new Error(`No answer: ${rest.toString("latin1").slice(0, 200)}`);
    const status = Number(code);
    const headers = headersOf(fields);
    rest = rest.subarray(end + 4);
    if (status < 200) continue;
    const isBare = toHead || status === 204 || status === 304;
    const [body, after] = isBare ? [Buffer.alloc(0), rest] : bodyIn(rest, headers);
    rest = after;
    answers.push({ status, headers, body: unpacked(body, headers).toString() });
  }
  return answers;
}

function headersOf(fields: string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const field of fields) {
    const name = field.slice(0, field.indexOf(":")).toLowerCase();
    const value = field.slice(name.length + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  return headers;
}

/** Returns the body that starts here, and the rest. */
function bodyIn(rest: Buffer, headers: Map<string, string>): [Buffer, Buffer] {
  if (headers.get("transfer-encoding") === "chunked") return chunksIn(rest);
  const length = Number(headers.get("content-length") ?? rest.length);
  return [rest.subarray(0, length), rest.subarray(length)];
}

function chunksIn(bytes: Buffer): [Buffer, Buffer] {
  const chunks: Buffer[] = [];
  let rest = bytes;
  for (;;) {
    const line = rest.indexOf("\r\n");
    const size = Number.parseInt(rest.subarray(0, Math.max(line, 0)).toString("latin1"), 16);
    // A truncated answer ends here.
    if (line < 0 || Number.isNaN(size)) return [Buffer.concat(chunks), Buffer.alloc(0)];
    chunks.push(rest.subarray(line + 2, line + 2 + size));
    rest = rest.subarray(line + 2 + size + 2);
    if (size === 0) return [Buffer.concat(chunks), rest];
  }
}

const unpack: Record<string, (packed: Buffer) => Buffer> = {
  br: (packed) => brotliDecompressSync(packed),
  gzip: (packed) => gunzipSync(packed),
  zstd: (packed) => zstdDecompressSync(packed),
};

function unpacked(body: Buffer, headers: Map<string, string>): Buffer {
  const open = unpack[headers.get("content-encoding") ?? ""];
  if (!open || body.length === 0) return body;
  try {
    return open(body);
  } catch {
    // A truncated answer is not a complete stream.
    return body;
  }
}

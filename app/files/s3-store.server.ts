import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Agent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { minute, second } from "../platform/clock.ts";
import type { S3Settings } from "../platform/config.server.ts";
import { getErrorCode, isConnectionError, Unavailable } from "../platform/errors.ts";
import type { Leases } from "../platform/leases.server.ts";
import { runTraced } from "../platform/traces.server.ts";
import { isSafePath } from "./names.server.ts";
import { type Area, areas } from "./rules.ts";
import type { ByteRange, FileFacts, FileStore } from "./store.server.ts";

/**
 * Keeps files as objects of a service that speaks S3, by `<area>/<path>`.
 *
 * That a path is written once is for the leases to see to: not every service compares, and some only
 * seem to. Where one does, it is asked to as well.
 */
export function createS3Store(objects: Objects, leases: Leases): FileStore {
  return {
    async put(area, path, sourceFilePath) {
      if (!isAddress(area, path)) throw new Error(`Not a path for a file: ${area}/${path}`);
      const key = `${area}/${path}`;
      const lost = new AbortController();
      const lease = await leases.take(`put:${key}`, () => lost.abort());
      if (!lease) return false;
      try {
        if (await objects.head(key)) return false;
        return await objects.put(
          key,
          { path: sourceFilePath },
          { onlyNew: true, signal: lost.signal },
        );
      } finally {
        await lease.giveBack();
      }
    },
    async open(area, path, range) {
      if (!isAddress(area, path)) return null;
      const found = await objects.get(`${area}/${path}`, range);
      if (!found) return null;
      const { content, size, modifiedAt } = found;
      const start = range?.start ?? 0;
      const end = Math.min(range?.end ?? size - 1, size - 1);
      // Closing the stream early closes the connection to the service.
      const bytes = Readable.from(readContent(content), { objectMode: false });
      const stream = Readable.toWeb(bytes) as ReadableStream<Uint8Array>;
      return { stream, size, modifiedAt, start, end };
    },
    stat: async (area, path) => (isAddress(area, path) ? objects.head(`${area}/${path}`) : null),
    async delete(area, path) {
      if (!isAddress(area, path)) return false;
      const key = `${area}/${path}`;
      if (!(await objects.head(key))) return false;
      await objects.delete(key);
      return true;
    },
    async *list(area, folder) {
      const prefix = folder === undefined ? `${area}/` : `${area}/${folder}/`;
      for await (const { key, ...facts } of objects.list(prefix))
        yield { path: key.slice(area.length + 1), ...facts };
    },
    // An object is there whole or not at all, and nothing is put in parts.
    deleteUnfinished: async () => 0,
  };
}

function isAddress(area: Area, path: string): boolean {
  return areas.includes(area) && isSafePath(path);
}

/**
 * Objects in a bucket of any service that speaks S3: the one file that knows its client. It needs no more
 * than putting, getting, listing and deleting single objects, which the oldest of them can do.
 *
 * Each throws `Unavailable` when the service cannot be reached or does not answer.
 */
export type Objects = {
  /**
   * Puts a local file, or a few bytes: whole or not at all.
   *
   * @param onlyNew leaves an object that is there as it is, where the service can compare.
   * @returns false when there was one, and it said so.
   */
  put(
    key: string,
    content: string | { path: string },
    options?: { onlyNew?: boolean; signal?: AbortSignal },
  ): Promise<boolean>;
  /** Null when it does not exist. @throws {RangeError} for a range that starts after the end. */
  get(key: string, range?: ByteRange): Promise<(FileFacts & { content: Readable }) | null>;
  head(key: string): Promise<FileFacts | null>;
  /** Does nothing when it does not exist. */
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<FileFacts & { key: string }>;
};

/** Downloads last as long as their readers want: they must not take all the connections. */
const mostConnections = 1000;

/** The same number as the client's own. */
const mostTries = 3;

/**
 * Opens a bucket.
 *
 * @param patience with a service that does not answer, or stops in the middle, in milliseconds: longer than
 * the server's own with whoever reads a download
 */
export function openObjects(settings: S3Settings, patience = 2 * minute): Objects {
  const client = openClient(settings, patience);
  const Bucket = settings.bucket;
  /** Services that do not know the condition, and say so, are not asked again. */
  let comparesNew = true;

  return {
    async put(key, content, { onlyNew = false, signal } = {}) {
      try {
        await putPatiently(key, content, onlyNew && comparesNew, signal);
        return true;
      } catch (error) {
        if (onlyNew && isStatus(error, 412, 409)) return false;
        if (!onlyNew || !comparesNew || !isStatus(error, 501)) throw error;
        comparesNew = false;
        await putPatiently(key, content, false, signal);
        return true;
      }
    },
    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      try {
        const found = await client.send(new GetObjectCommand({ Bucket, Key: key, Range }));
        const size = Number(found.ContentRange?.split("/")[1] ?? found.ContentLength);
        return { size, modifiedAt: found.LastModified!, content: found.Body as Readable };
      } catch (error) {
        if (isStatus(error, 404)) return null;
        if (!isStatus(error, 416)) throw error;
        throw new RangeError(`No bytes ${range?.start}-${range?.end} in ${key}.`);
      }
    },
    async head(key) {
      try {
        const found = await client.send(new HeadObjectCommand({ Bucket, Key: key }));
        return { size: found.ContentLength!, modifiedAt: found.LastModified! };
      } catch (error) {
        if (isStatus(error, 404)) return null;
        throw error;
      }
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
    },
    async *list(prefix) {
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
        for (const { Key, Size, LastModified } of page.Contents ?? [])
          yield { key: Key!, size: Size!, modifiedAt: LastModified! };
    },
  };

  /**
   * A service may have closed an idle connection. The client then retries, except for a stream, which only we
   * can start again.
   */
  async function putPatiently(...asked: Parameters<typeof send>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await send(...asked);
      } catch (error) {
        const [, content, , abortSignal] = asked;
        const canBegin = typeof content !== "string" && !abortSignal?.aborted;
        const hasEnded = error instanceof Unavailable && /^(EPIPE|ECONNRESET)$/.test(error.why);
        if (!canBegin || tries === mostTries || !hasEnded) throw error;
      }
    }
  }

  async function send(
    key: string,
    content: string | { path: string },
    onlyNew: boolean,
    abortSignal?: AbortSignal,
  ): Promise<void> {
    const isText = typeof content === "string";
    const size = isText ? Buffer.byteLength(content) : (await stat(content.path)).size;
    const body = isText ? content : createReadStream(content.path);
    const put = { Bucket, Key: key, Body: body, ContentLength: size };
    const condition = onlyNew && { IfNoneMatch: "*" };
    try {
      await client.send(new PutObjectCommand({ ...put, ...condition }), { abortSignal });
    } finally {
      if (typeof body !== "string") body.destroy();
    }
  }
}

function openClient(settings: S3Settings, patience: number): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey, isPathStyle } = settings;
  const agent = { keepAlive: true, maxSockets: mostConnections };
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: isPathStyle,
    // Errors are thrown. Without a logger the client would write its own lines to the log.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    // Older services refuse the checksums that newer clients send behind a body.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: 5 * second,
      requestTimeout: patience,
      socketTimeout: patience,
      throwOnRequestTimeout: true,
      httpAgent: new Agent(agent),
      httpsAgent: new SecureAgent(agent),
    },
  });
  client.middlewareStack.add(
    (next) => async (asked) => {
      const answer = await next(asked);
      rejectTransientAnswer(answer.response);
      return answer;
    },
    { step: "deserialize", name: "passing", priority: "low" },
  );
  const facts = { "server.address": new URL(endpoint).hostname };
  client.middlewareStack.add(
    (next, { commandName }) =>
      (asked) =>
        runTraced({ name: `s3 ${commandName ?? "call"}`, kind: "client", facts }, () =>
          next(asked).catch((error: unknown) => {
            throw toStoreError(error);
          }),
        ),
    { step: "initialize", name: "traced" },
  );
  return client;
}

function isStatus(error: unknown, ...statuses: number[]): boolean {
  if (!(error instanceof S3ServiceException)) return false;
  return statuses.includes(error.$metadata.httpStatusCode ?? 0);
}

type HttpAnswer = { statusCode: number; body?: unknown };

/**
 * Throws an error that the client tries again for an answer that passes, before the client reads it: a proxy in front
 * of the service answers in HTML, which the client cannot read and would not try again.
 */
function rejectTransientAnswer(response: unknown): void {
  const { statusCode, body } = response as HttpAnswer;
  if (!isPassingStatus(statusCode)) return;
  if (body instanceof Readable) body.resume();
  throw Object.assign(new Error(`HTTP ${statusCode}`), {
    name: `HTTP ${statusCode}`,
    $metadata: { httpStatusCode: statusCode },
    $retryable: { throttling: statusCode === 429 || statusCode === 503 },
  });
}

/** Also those that only some services have, as R2's 520. That an operation is unknown does not pass. */
function isPassingStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

/** `Unavailable` for what passes, once the client has given up trying; any other error as it is. */
function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Unavailable || !isPassing(error)) return error;
  // Its message may name a person's file.
  return new Unavailable("store", new Error(getErrorCode(error) ?? error.name, { cause: error }));
}

/** Error codes that S3 also sends with other statuses. */
const passingNames =
  /^(TimeoutError|RequestTimeout|RequestTimeoutException|SlowDown|InternalError|ServiceUnavailable|Throttling(Exception)?|ThrottledException|RequestLimitExceeded|BandwidthLimitExceeded|TooManyRequests(Exception)?|OperationAborted)$/;

/** Errors of a network that is away, of an answer that is not HTTP or TLS, or of a rejected certificate. */
const unreachableCodes =
  /^(HPE_|EPROTO$|ERR_SSL_|ERR_TLS_|CERT_|EAI_|ENETDOWN$|EHOSTDOWN$|EADDRNOTAVAIL$|ERR_STREAM_PREMATURE_CLOSE$|.*_(CERT|CERTIFICATE|SIGNATURE)(_|$))/;

function isPassing(error: Error): boolean {
  const { $metadata, $response } = error as Partial<S3ServiceException>;
  const status = $response?.statusCode ?? $metadata?.httpStatusCode ?? 0;
  // An answer that says that all is well and cannot be read is another program's.
  const isForeign = status === 200 && !(error instanceof S3ServiceException);
  return (
    isPassingStatus(status) ||
    isForeign ||
    isConnectionError(error) ||
    passingNames.test(error.name) ||
    unreachableCodes.test(getErrorCode(error) ?? "")
  );
}

/** The bytes of an object, whose reader learns as well when the service goes away in the middle. */
async function* readContent(content: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* content as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw toStoreError(error);
  } finally {
    content.destroy();
  }
}

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
 * Stores files as objects of an S3-compatible service, under `<area>/<path>`.
 *
 * Leases ensure that a path is written only once, since not every service supports conditional writes reliably. The
 * condition is sent as well.
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
      const object = await objects.get(`${area}/${path}`, range);
      if (!object) return null;
      const { content, size, modifiedAt } = object;
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
    // Puts are atomic, so nothing is left to delete.
    deleteUnfinished: async () => 0,
  };
}

function isAddress(area: Area, path: string): boolean {
  return areas.includes(area) && isSafePath(path);
}

/**
 * Objects in a bucket of any S3-compatible service. Only this file uses the client. It only puts, gets, lists and
 * deletes single objects, which every service supports.
 *
 * Every function throws `Unavailable` if the service can't be reached or doesn't answer.
 */
export type Objects = {
  /**
   * Puts a local file or a short text, atomically.
   *
   * @param onlyNew doesn't overwrite an existing object, if the service supports conditions
   * @returns false if the service reported an existing object
   */
  put(
    key: string,
    content: string | { path: string },
    options?: { onlyNew?: boolean; signal?: AbortSignal },
  ): Promise<boolean>;
  /** Returns null if it doesn't exist. @throws {RangeError} for a range that starts after the end. */
  get(key: string, range?: ByteRange): Promise<(FileFacts & { content: Readable }) | null>;
  head(key: string): Promise<FileFacts | null>;
  /** Does nothing if it doesn't exist. */
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<FileFacts & { key: string }>;
};

/** High, since slow readers keep download connections open. */
const maxConnections = 1000;

/** The slowest upload to wait for: a megabyte a second. An export of a person's data has gigabytes. */
const minBytesPerMs = 1000;

/** The same as the client's default. */
const maxAttempts = 3;

/**
 * Opens a bucket.
 *
 * @param timeout in milliseconds for a service that doesn't answer or stops midway. It is longer than the server's
 * timeout for slow downloads.
 */
export function openObjects(settings: S3Settings, timeout = 2 * minute): Objects {
  const client = openClient(settings, timeout);
  const Bucket = settings.bucket;
  /** False once the service has refused the condition as unsupported. */
  let supportsCondition = true;

  return {
    async put(key, content, { onlyNew = false, signal } = {}) {
      try {
        await putWithRetry(key, content, onlyNew && supportsCondition, signal);
        return true;
      } catch (error) {
        if (onlyNew && isStatus(error, 412, 409)) return false;
        if (!onlyNew || !supportsCondition || !isStatus(error, 501)) throw error;
        supportsCondition = false;
        await putWithRetry(key, content, false, signal);
        return true;
      }
    },
    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      try {
        const response = await client.send(new GetObjectCommand({ Bucket, Key: key, Range }));
        const size = Number(response.ContentRange?.split("/")[1] ?? response.ContentLength);
        return { size, modifiedAt: response.LastModified!, content: response.Body as Readable };
      } catch (error) {
        if (isStatus(error, 404)) return null;
        if (!isStatus(error, 416)) throw error;
        throw new RangeError(`No bytes ${range?.start}-${range?.end} in ${key}.`);
      }
    },
    async head(key) {
      try {
        const response = await client.send(new HeadObjectCommand({ Bucket, Key: key }));
        return { size: response.ContentLength!, modifiedAt: response.LastModified! };
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
   * Retries a put if the service has closed an idle connection. The client retries by itself except for a stream, which
   * must be opened again.
   */
  async function putWithRetry(...args: Parameters<typeof send>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(...args);
      } catch (error) {
        const [, content, , abortSignal] = args;
        const canRetry = typeof content !== "string" && !abortSignal?.aborted;
        const isClosed = error instanceof Unavailable && /^(EPIPE|ECONNRESET)$/.test(error.why);
        if (!canRetry || attempt === maxAttempts || !isClosed) throw error;
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
      // The timeout covers the entire upload. A connection that stops midway has one of its own.
      const requestTimeout = timeout + Math.ceil(size / minBytesPerMs);
      await client.send(new PutObjectCommand({ ...put, ...condition }), {
        abortSignal,
        requestTimeout,
      });
    } finally {
      if (typeof body !== "string") body.destroy();
    }
  }
}

function openClient(settings: S3Settings, timeout: number): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey, isPathStyle } = settings;
  const agent = { keepAlive: true, maxSockets: maxConnections };
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: isPathStyle,
    // Errors are thrown, so the client must not write its own lines to the log.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    // Older services refuse the trailing checksums of newer clients.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: 5 * second,
      requestTimeout: timeout,
      socketTimeout: timeout,
      throwOnRequestTimeout: true,
      httpAgent: new Agent(agent),
      httpsAgent: new SecureAgent(agent),
    },
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      rejectTransientAnswer(answer.response);
      return answer;
    },
    { step: "deserialize", name: "passing", priority: "low" },
  );
  const facts = { "server.address": new URL(endpoint).hostname };
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        runTraced({ name: `s3 ${commandName ?? "call"}`, kind: "client", facts }, () =>
          next(args).catch((error: unknown) => {
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
 * Throws a retryable error for a temporary failure before the client parses the answer. A proxy in front of the service
 * may answer in HTML, which the client can't parse and wouldn't retry.
 */
function rejectTransientAnswer(response: unknown): void {
  const { statusCode, body } = response as HttpAnswer;
  if (!isTemporaryStatus(statusCode)) return;
  if (body instanceof Readable) body.resume();
  throw Object.assign(new Error(`HTTP ${statusCode}`), {
    name: `HTTP ${statusCode}`,
    $metadata: { httpStatusCode: statusCode },
    $retryable: { throttling: statusCode === 429 || statusCode === 503 },
  });
}

/** Includes codes of single services such as R2's 520. 501 is permanent: the operation is unknown. */
function isTemporaryStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

/** Converts a temporary error, after the client's retries, to `Unavailable`. Other errors stay unchanged. */
function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Unavailable || !isTemporary(error))
    return error;
  // The message may contain a private file name.
  return new Unavailable("store", new Error(getErrorCode(error) ?? error.name, { cause: error }));
}

/** Temporary error codes, which S3 may send with any status. */
const temporaryNames =
  /^(TimeoutError|RequestTimeout|RequestTimeoutException|SlowDown|InternalError|ServiceUnavailable|Throttling(Exception)?|ThrottledException|RequestLimitExceeded|BandwidthLimitExceeded|TooManyRequests(Exception)?|OperationAborted)$/;

/** Network errors, answers that are not HTTP or TLS, and rejected certificates. */
const unreachableCodes =
  /^(HPE_|EPROTO$|ERR_SSL_|ERR_TLS_|CERT_|EAI_|ENETDOWN$|EHOSTDOWN$|EADDRNOTAVAIL$|ERR_STREAM_PREMATURE_CLOSE$|.*_(CERT|CERTIFICATE|SIGNATURE)(_|$))/;

function isTemporary(error: Error): boolean {
  const { $metadata, $response } = error as Partial<S3ServiceException>;
  const status = $response?.statusCode ?? $metadata?.httpStatusCode ?? 0;
  // A successful answer that can't be parsed comes from another program.
  const isForeign = status === 200 && !(error instanceof S3ServiceException);
  return (
    isTemporaryStatus(status) ||
    isForeign ||
    isConnectionError(error) ||
    temporaryNames.test(error.name) ||
    unreachableCodes.test(getErrorCode(error) ?? "")
  );
}

/** Reads an object, and throws `Unavailable` if the connection is lost midway. */
async function* readContent(content: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* content as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw toStoreError(error);
  } finally {
    content.destroy();
  }
}

import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type Lock, type Locker, Server, type Upload as TusUpload } from "@tus/server";
import { second } from "../../platform/clock.ts";
import { isDiskFull, Unavailable } from "../../platform/errors.ts";
import type { Lease, Leases } from "../../platform/leases.server.ts";
import { logFailure } from "../../platform/log.server.ts";
import { getUploadFailureTitle } from "../upload-messages.ts";
import {
  requireUploadAllowed,
  toDiskFullRefusal,
  noRoomStatus,
  readDeclaration,
  RefusedUpload,
  type StoredFile,
  type UploadParts,
} from "./admit-upload.server.ts";
import { findFinished, finishUpload } from "./finish-upload.server.ts";

/** The tus endpoint: POST creates an upload, HEAD, PATCH and DELETE use `/uploads/<upload id>`. */
const uploadsPath = "/uploads";

/** A tus request of a signed-in person. */
type Visit = { uploaderId: string; refusal?: RefusedUpload };

type Answer = (request: Request, uploaderId: string) => Promise<Response>;

const uploadId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Receives files with the tus protocol (1.0.0: creation, with upload, termination), which resumes after a lost
 * connection in any process. A refusal is JSON `{ title, description }` with status 422 (429 for too many), and the
 * answer to the last byte is `{ id, name, size }`.
 */
export function createTusHandler(parts: UploadParts): Answer {
  const visits = new WeakMap<Request, Visit>();
  const visitOf = (request: object) => visits.get(request as Request)!;
  const finish = finishOnce(parts);

  const tus = new Server({
    path: uploadsPath,
    datastore: parts.partials.tus,
    locker: uploadLocks(parts.leases),
    lockDrainTimeout: 1000,
    allowedOrigins: [],
    namingFunction: (request) => `${visitOf(request).uploaderId}/${randomUUID()}`,
    generateUrl: (_request, { path, id }) => `${path}/${id.split("/")[1]}`,
    getFileIdFromRequest: (request, last = "") =>
      uploadId.test(last) ? `${visitOf(request).uploaderId}/${last}` : undefined,
    async onUploadCreate(request, { size, metadata = {} }) {
      if (size === undefined) throw { status_code: 400, body: "Upload-Length header required\n" };
      const upload = readDeclaration(metadata);
      await requireUploadAllowed(parts, visitOf(request).uploaderId, upload, size);
      return { metadata: upload };
    },
    async onUploadFinish(request, arrived) {
      const file = await finish(visitOf(request).uploaderId, arrived);
      const headers = { "Content-Type": "application/json" };
      return { status_code: request.method === "POST" ? 201 : 200, headers, body: describe(file) };
    },
    onResponseError(request, error) {
      const refusal = error instanceof RefusedUpload ? error : toDiskFullRefusal(error, null);
      if (refusal) visitOf(request).refusal = refusal;
      return toPlainError(parts, error);
    },
  });

  return async (request, uploaderId) => {
    const id = new URL(request.url).pathname.slice(uploadsPath.length + 1);
    const finished = uploadId.test(id) ? await findFinished(parts.app.db, uploaderId, id) : null;
    if (finished) return respondFinished(parts, request, finished);

    const visit: Visit = { uploaderId };
    visits.set(request, visit);
    const response = await tus.handleWeb(request);
    if (visit.refusal) return Response.json(visit.refusal.problem, visit.refusal);
    if (request.method === "HEAD" && isComplete(response)) {
      return finishAfterAll(parts, () => finish(uploaderId, `${uploaderId}/${id}`), response);
    }
    return response;
  };
}

type Finish = (uploaderId: string, arrived: TusUpload | string) => Promise<StoredFile>;

/** Concurrent requests to this process that complete the same upload share one result. */
function finishOnce(parts: UploadParts): Finish {
  const running = new Map<string, Promise<StoredFile>>();
  async function finish(uploaderId: string, arrived: TusUpload | string): Promise<StoredFile> {
    const key = typeof arrived === "string" ? arrived : arrived.id;
    const id = key.split("/")[1]!;
    try {
      const { metadata = {} } =
        typeof arrived === "string" ? await parts.partials.tus.getUpload(arrived) : arrived;
      const upload = readDeclaration(metadata);
      const file = await parts.partials.withFile(key, (path) =>
        finishUpload(parts, uploaderId, upload, { id, path }),
      );
      await deletePartial(parts, key);
      return file;
    } catch (error) {
      // Another process may have finished and deleted it.
      const file = await findFinished(parts.app.db, uploaderId, id);
      if (file) return file;
      // After any other error, the next request for this upload tries again.
      if (error instanceof RefusedUpload) await deletePartial(parts, key);
      throw error;
    }
  }
  return (uploaderId, arrived) => {
    const key = typeof arrived === "string" ? arrived : arrived.id;
    const current = running.get(key);
    if (current) return current;
    const result = finish(uploaderId, arrived).finally(() => running.delete(key));
    running.set(key, result);
    return result;
  };
}

async function deletePartial({ app, partials }: UploadParts, key: string): Promise<void> {
  await partials.tus
    .remove(key)
    .catch((error) => app.log.warn({ err: error, upload: key }, "partial upload not deleted"));
}

/**
 * Finishes a complete upload that a crash left unfinished, before a HEAD is answered. The browser treats that answer as
 * the end of the upload.
 */
async function finishAfterAll(
  { app }: UploadParts,
  finish: () => Promise<StoredFile>,
  response: Response,
): Promise<Response> {
  try {
    await finish();
    return response;
  } catch (error) {
    if (error instanceof RefusedUpload) return new Response(null, { status: error.status });
    logFailure(app.log, error, "upload");
    return new Response(null, { status: getErrorStatus(error) });
  }
}

function isComplete({ status, headers }: Response): boolean {
  return status === 200 && headers.get("Upload-Offset") === headers.get("Upload-Length");
}

/**
 * Answers a browser that missed the final answer. If the file was deleted since, the upload starts over, since the
 * person has chosen the same file again.
 */
async function respondFinished(
  { app, isInPlace }: UploadParts,
  { method }: Request,
  file: StoredFile,
): Promise<Response> {
  const headers = new Headers({ "Tus-Resumable": "1.0.0", "Upload-Offset": String(file.size) });
  if (method === "HEAD") {
    if (!(await isInPlace(app.db, file))) return new Response(null, { status: 410 });
    headers.set("Upload-Length", String(file.size));
    headers.set("Cache-Control", "no-store");
    return new Response(null, { headers });
  }
  if (method !== "PATCH")
    return new Response("This upload is finished.\n", { status: 409, headers });
  headers.set("Content-Type", "application/json");
  return new Response(describe(file), { headers });
}

function describe({ id, originalName, size }: StoredFile): string {
  return JSON.stringify({ id, name: originalName, size });
}

type PlainError = { status_code: number; body: string };

/** Converts other errors to the protocol's format, without details for the log. */
function toPlainError({ app }: UploadParts, error: Error | PlainError): PlainError | undefined {
  const tusError = "status_code" in error ? error : null;
  // A feature that tus does not support is the browser's mistake, not ours.
  if (tusError?.status_code === 501) return { ...tusError, status_code: 400 };
  if (tusError && tusError.status_code < 500) return undefined;
  if (error instanceof RefusedUpload) return { status_code: error.status, body: error.message };
  logFailure(app.log, error, "upload");
  return { status_code: getErrorStatus(error), body: `${getUploadFailureTitle(null)}\n` };
}

/** Returns 503 for temporary errors, for which browsers retry longer. */
function getErrorStatus(error: unknown): number {
  if (isDiskFull(error)) return noRoomStatus;
  return error instanceof Unavailable ? 503 : 500;
}

/** Longer than the lease of a dead holder. */
const uploadLockTimeoutMs = 10 * second;
const pollIntervalMs = second / 10;

/**
 * Locks each upload for one request at a time, across processes. A newer request asks the current one to stop, since
 * its connection is probably lost.
 */
function uploadLocks(leases: Leases): Locker {
  return {
    newLock(id): Lock {
      const name = `upload:${id}`;
      let lease: Lease | null = null;
      return {
        async lock(stopped, requestRelease) {
          const until = performance.now() + uploadLockTimeoutMs;
          while (!(lease = await leases.take(name, () => void requestRelease()))) {
            if (stopped.aborted || performance.now() > until)
              throw { status_code: 423, body: "This upload is busy.\n" };
            await leases.askFor(name);
            await wait(pollIntervalMs);
          }
        },
        unlock: async () => lease?.giveBack(),
      };
    },
  };
}

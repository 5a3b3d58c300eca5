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

/** The address of the tus protocol: POST here, then HEAD, PATCH and DELETE on `<here>/<upload id>`. */
const uploadsPath = "/uploads";

/** A request of the protocol, by a person who is signed in. */
type Visit = { uploaderId: string; refusal?: RefusedUpload };

type Answer = (request: Request, uploaderId: string) => Promise<Response>;

const uploadId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Receives files by the tus protocol (1.0.0: creation, with upload, termination), which goes on after
 * a lost connection where it was, at whichever process. A refusal is answered as JSON `{ title, description }`
 * with status 422 (429 for too many), the last byte with `{ id, name, size }`.
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
    if (request.method === "HEAD" && isWhole(response)) {
      return finishAfterAll(parts, () => finish(uploaderId, `${uploaderId}/${id}`), response);
    }
    return response;
  };
}

type Finish = (uploaderId: string, arrived: TusUpload | string) => Promise<StoredFile>;

/** Requests to this process that find the same upload whole at the same time share one finish. */
function finishOnce(parts: UploadParts): Finish {
  const underWay = new Map<string, Promise<StoredFile>>();
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
      // Another process may have finished it meanwhile, and taken it away.
      const file = await findFinished(parts.app.db, uploaderId, id);
      if (file) return file;
      // After any other error the next request for this upload tries again.
      if (error instanceof RefusedUpload) await deletePartial(parts, key);
      throw error;
    }
  }
  return (uploaderId, arrived) => {
    const key = typeof arrived === "string" ? arrived : arrived.id;
    const begun = underWay.get(key);
    if (begun) return begun;
    const finishing = finish(uploaderId, arrived).finally(() => underWay.delete(key));
    underWay.set(key, finishing);
    return finishing;
  };
}

async function deletePartial({ app, partials }: UploadParts, key: string): Promise<void> {
  await partials.tus
    .remove(key)
    .catch((error) => app.log.warn({ err: error, upload: key }, "partial upload not deleted"));
}

/**
 * The answer to a HEAD for an upload that is whole, but that a crash kept from being finished. The
 * browser takes it for the end, so it must be.
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

function isWhole({ status, headers }: Response): boolean {
  return status === 200 && headers.get("Upload-Offset") === headers.get("Upload-Length");
}

/**
 * Answers a browser that did not receive the final answer and asks again. If the file was deleted since, the
 * upload starts over: a browser that still has this address has chosen the same file a second time.
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

/** Other errors as the protocol wants them, without what is only for the log. */
function toPlainError({ app }: UploadParts, error: Error | PlainError): PlainError | undefined {
  const known = "status_code" in error ? error : null;
  // A feature that tus does not support is the browser's mistake, not ours.
  if (known?.status_code === 501) return { ...known, status_code: 400 };
  if (known && known.status_code < 500) return undefined;
  if (error instanceof RefusedUpload) return { status_code: error.status, body: error.message };
  logFailure(app.log, error, "upload");
  return { status_code: getErrorStatus(error), body: `${getUploadFailureTitle(null)}\n` };
}

/** A browser waits longer for what will pass than for what is broken. */
function getErrorStatus(error: unknown): number {
  if (isDiskFull(error)) return noRoomStatus;
  return error instanceof Unavailable ? 503 : 500;
}

/** Longer than a lease outlives its holder. */
const patience = 10 * second;
const pause = second / 10;

/**
 * One request at a time for each upload, whichever process answers it. A newer request asks the one under
 * way to stop: the phone that sent it has lost that connection.
 */
function uploadLocks(leases: Leases): Locker {
  return {
    newLock(id): Lock {
      const name = `upload:${id}`;
      let lease: Lease | null = null;
      return {
        async lock(stopped, askToLetGo) {
          const until = performance.now() + patience;
          while (!(lease = await leases.take(name, () => void askToLetGo()))) {
            if (stopped.aborted || performance.now() > until)
              throw { status_code: 423, body: "This upload is busy.\n" };
            await leases.askFor(name);
            await wait(pause);
          }
        },
        unlock: async () => lease?.giveBack(),
      };
    },
  };
}

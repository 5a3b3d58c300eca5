import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Lock, type Locker, Server, type Upload as TusUpload } from "@tus/server";
import { second } from "../../platform/clock.ts";
import { failedTitle } from "../field/upload-copy.ts";
import { admitUpload, readDeclaration, type UploadParts } from "./admit-upload.server.ts";
import { findFinished, finishUpload } from "./finish-upload.server.ts";
import { PartialStore } from "./partial-files.server.ts";
import { RefusedUpload, type StoredFile } from "./upload-rules.server.ts";

/** Where the protocol is spoken: POST here, then HEAD, PATCH and DELETE on `<here>/<upload id>`. */
export const uploadsPath = "/uploads";

/** A request of the protocol, by a person who is signed in. */
type Visit = { uploaderId: string; refusal?: RefusedUpload };

type Answer = (request: Request, uploaderId: string) => Promise<Response>;

const uploadId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Receives files by the tus protocol (1.0.0: creation, with upload, termination), which goes on after
 * a lost connection where it was. Every person has a folder of their own, so that another's
 * upload is not there whatever id is asked for. A refusal is answered as JSON `{ title, description }`
 * with status 422 (429 for too many), the last byte with `{ id, name, size }`.
 */
export function resumableUploads(parts: UploadParts): Answer {
  const visits = new WeakMap<Request, Visit>();
  const visitOf = (request: object) => visits.get(request as Request)!;
  const partials = new PartialStore(parts.folder);
  const finish = finishOnce(parts, partials);

  const tus = new Server({
    path: uploadsPath,
    datastore: partials,
    locker: uploadLocks(),
    lockDrainTimeout: 1000,
    allowedOrigins: [],
    namingFunction: (request) => `${visitOf(request).uploaderId}/${randomUUID()}`,
    generateUrl: (_request, { path, id }) => `${path}/${id.split("/")[1]}`,
    getFileIdFromRequest: (request, last = "") =>
      uploadId.test(last) ? `${visitOf(request).uploaderId}/${last}` : undefined,
    async onUploadCreate(request, { size, metadata = {} }) {
      if (size === undefined) throw { status_code: 400, body: "Upload-Length header required\n" };
      const upload = readDeclaration(metadata);
      await admitUpload(parts, visitOf(request).uploaderId, upload, size);
      return { metadata: upload };
    },
    async onUploadFinish(request, arrived) {
      const file = await finish(visitOf(request).uploaderId, arrived);
      const headers = { "Content-Type": "application/json" };
      return { status_code: request.method === "POST" ? 201 : 200, headers, body: told(file) };
    },
    onResponseError(request, error) {
      if (error instanceof RefusedUpload) visitOf(request).refusal = error;
      return plainError(parts, error);
    },
  });

  return async (request, uploaderId) => {
    const id = new URL(request.url).pathname.slice(uploadsPath.length + 1);
    const finished = uploadId.test(id) ? await findFinished(parts.app.db, uploaderId, id) : null;
    if (finished) return answerFinished(request, finished);

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

/** Requests that find the same upload whole at the same time share one finish. */
function finishOnce(parts: UploadParts, partials: PartialStore): Finish {
  const underWay = new Map<string, Promise<StoredFile>>();
  async function finish(uploaderId: string, arrived: TusUpload | string): Promise<StoredFile> {
    const { id: key, metadata = {} } =
      typeof arrived === "string" ? await partials.getUpload(arrived) : arrived;
    const id = key.split("/")[1]!;
    try {
      const upload = readDeclaration(metadata);
      const file = await finishUpload(parts, uploaderId, upload, {
        id,
        path: join(parts.folder, key),
      });
      await forget(parts, partials, key);
      return file;
    } catch (error) {
      // After any other error the next request for this upload tries again.
      if (error instanceof RefusedUpload) await forget(parts, partials, key);
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

async function forget({ app }: UploadParts, partials: PartialStore, key: string): Promise<void> {
  await partials
    .remove(key)
    .catch((error) => app.log.warn({ err: error, upload: key }, "partial file"));
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
    app.log.error({ err: error }, "upload");
    return new Response(null, { status: 500 });
  }
}

function isWhole({ status, headers }: Response): boolean {
  return status === 200 && headers.get("Upload-Offset") === headers.get("Upload-Length");
}

/** The browser did not hear that it was done, and asks again. */
function answerFinished({ method }: Request, file: StoredFile): Response {
  const headers = new Headers({ "Tus-Resumable": "1.0.0", "Upload-Offset": String(file.size) });
  if (method === "HEAD") {
    headers.set("Upload-Length", String(file.size));
    headers.set("Cache-Control", "no-store");
    return new Response(null, { headers });
  }
  if (method !== "PATCH")
    return new Response("This upload is finished.\n", { status: 409, headers });
  headers.set("Content-Type", "application/json");
  return new Response(told(file), { headers });
}

function told({ id, originalName, size }: StoredFile): string {
  return JSON.stringify({ id, name: originalName, size });
}

type PlainError = { status_code: number; body: string };

/** Other errors as the protocol wants them, without what is only for the log. */
function plainError({ app }: UploadParts, error: Error | PlainError): PlainError | undefined {
  const known = "status_code" in error ? error : null;
  // What tus does not support is the browser's mistake, not ours.
  if (known?.status_code === 501) return { ...known, status_code: 400 };
  if (known && known.status_code < 500) return undefined;
  if (error instanceof RefusedUpload) return { status_code: error.status, body: error.message };
  app.log.error({ err: error }, "upload");
  return { status_code: 500, body: `${failedTitle(null)}\n` };
}

type Holder = { askToLetGo: () => void; letGo: Promise<void>; onLetGo: () => void };

const patience = 10 * second;

/**
 * One request at a time for each upload. A newer request asks the one under way to stop: the phone
 * that sent it has lost that connection. (The locker that comes with tus waits in a busy loop.)
 */
export function uploadLocks(): Locker {
  const holders = new Map<string, Holder>();
  return {
    newLock(id): Lock {
      return {
        async lock(stopped, askToLetGo) {
          const until = Date.now() + patience;
          for (let holder = holders.get(id); holder; holder = holders.get(id)) {
            holder.askToLetGo();
            await settled(holder.letGo, until - Date.now(), stopped);
            if (stopped.aborted || (holders.get(id) === holder && Date.now() >= until)) {
              throw { status_code: 423, body: "This upload is busy.\n" };
            }
          }
          const { promise: letGo, resolve: onLetGo } = Promise.withResolvers<void>();
          holders.set(id, { askToLetGo, letGo, onLetGo });
        },
        async unlock() {
          const holder = holders.get(id);
          holders.delete(id);
          holder?.onLetGo();
        },
      };
    },
  };
}

/** Waits for the promise, the time or the signal, whichever comes first. */
function settled(promise: Promise<void>, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, milliseconds));
    signal.addEventListener("abort", end);
    void promise.then(end);
  });
}

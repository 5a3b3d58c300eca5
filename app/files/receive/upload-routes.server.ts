import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Busboy } from "busboy";
import { type Context, Hono } from "hono";
import type { RequestFacts } from "../../platform/app-context.server.ts";
import { logFailure } from "../../platform/log.server.ts";
import { uploadsByOutcome } from "../../platform/metrics.server.ts";
import { addNext, parseOwnPath } from "../../platform/own-path.ts";
import {
  getUploadFailureTitle,
  noFileChosen,
  noSession,
  oneFileOnly,
  getUploadSuccessTitle,
} from "../upload-messages.ts";
import { type UploadPurpose, uploadPurposes, uploadRules } from "../rules.ts";
import {
  requireUploadAllowed,
  toDiskFullRefusal,
  readDeclaration,
  createRefusal,
  RefusedUpload,
  type StoredFile,
  type Upload,
  type UploadParts,
} from "./admit-upload.server.ts";
import { finishUpload } from "./finish-upload.server.ts";
import { createFormParser, pipeToForm, unreadable } from "./one-file-form.server.ts";
import { toByteStream, toStreamingRequest } from "./request-bytes.server.ts";
import { createTusHandler } from "./resumable.server.ts";

type Env = {
  Bindings: { incoming: IncomingMessage };
  Variables: { facts: RequestFacts; actor: { id: string } | null };
};

/** Receives files: `/uploads` with the tus protocol, `/uploads/form` from a plain form. */
export function uploadRoutes(parts: UploadParts): Hono<Env> {
  const resumable = createTusHandler(parts);
  const routes = new Hono<Env>();

  routes.post("/form", (context) => respondToForm(context, parts));
  routes.all("/", (context) => handleTusRequest(context, ["POST", "OPTIONS"], resumable));
  routes.all("/:id", (context) =>
    handleTusRequest(context, ["HEAD", "PATCH", "DELETE", "OPTIONS"], resumable),
  );
  return routes;
}

function handleTusRequest(
  context: Context<Env>,
  methods: string[],
  answer: ReturnType<typeof createTusHandler>,
): Response | Promise<Response> {
  if (!methods.includes(context.req.method)) {
    return context.text("Method not allowed", 405, { Allow: methods.join(", ") });
  }
  const actor = context.get("actor");
  if (!actor)
    return context.json({ title: getUploadFailureTitle(null), description: noSession }, 401);
  const { method, raw } = context.req;
  const hasBody = method === "POST" || method === "PATCH";
  const request = hasBody ? toStreamingRequest(raw, context.env.incoming) : raw;
  return answer(request, actor.id).then((response) => {
    const outcome = getTusOutcome(method, response);
    if (outcome) uploadsByOutcome.inc({ outcome });
    return response;
  });
}

/** Returns the outcome of a complete file. Most answers are about a part of a file, and return null. */
function getTusOutcome(method: string, { status, headers }: Response): string | null {
  if (status >= 500) return "failed";
  const isAboutFile = headers.get("content-type")?.startsWith("application/json");
  if (!isAboutFile || (method !== "POST" && method !== "PATCH")) return null;
  return status < 300 ? "stored" : "refused";
}

/** Redirects to the page of the form, which shows the result. */
async function respondToForm(context: Context<Env>, parts: UploadParts): Promise<Response> {
  const query = context.req.query();
  const purpose = uploadPurposes.find((candidate) => candidate === query.purpose);
  if (!purpose) return context.text("We couldn't tell what this file is for.", 400);
  const next = parseOwnPath(query.next) ?? "/";
  const actor = context.get("actor");
  const { toasts } = context.get("facts");
  if (!actor) {
    toasts.push({ kind: "error", title: getUploadFailureTitle(purpose), description: noSession });
    return context.redirect(addNext("/login", next), 303);
  }
  const problem = await saveFormUpload(context, parts, actor.id, {
    purpose,
    target: query.target ?? "",
  });
  if (problem) toasts.push({ kind: "error", ...problem, about: purpose });
  else toasts.push({ kind: "success", title: getUploadSuccessTitle(purpose) });
  return context.redirect(next, 303);
}

/** The facts about the file in the form's address. */
type FormDeclaration = { purpose: UploadPurpose; target: string };

async function saveFormUpload(
  context: Context<Env>,
  parts: UploadParts,
  uploaderId: string,
  declaration: FormDeclaration,
): Promise<RefusedUpload["problem"] | null> {
  try {
    await readUploadForm(parts, uploaderId, declaration, context);
    uploadsByOutcome.inc({ outcome: "stored" });
    return null;
  } catch (error) {
    uploadsByOutcome.inc({ outcome: error instanceof RefusedUpload ? "refused" : "failed" });
    if (error instanceof RefusedUpload) return error.problem;
    const request = context.get("facts").id;
    logFailure(parts.app.log, error, "upload", { request });
    return (
      toDiskFullRefusal(error, declaration.purpose)?.problem ?? {
        title: getUploadFailureTitle(declaration.purpose),
        description: "Please try again.",
      }
    );
  }
}

/** The form is read up to this size, so that the sender of a large file still gets an answer. */
const maxFormBytes = 256 * 1_048_576;

/**
 * Receives one file from a plain form, for browsers without scripts, with the same rules as other uploads and an
 * optional field "note". The file is streamed.
 *
 * @throws {RefusedUpload}
 */
async function readUploadForm(
  parts: UploadParts,
  uploaderId: string,
  { purpose, target }: FormDeclaration,
  context: Context<Env>,
): Promise<StoredFile> {
  const id = randomUUID();
  const { maxBytes } = uploadRules[purpose];
  return parts.partials.withRoom(`${uploaderId}/${id}`, maxBytes, async (path) => {
    const form = await readFileForm(context, purpose, path, (name) => {
      const upload = readDeclaration({ purpose, target, name });
      return requireUploadAllowed(parts, uploaderId, upload, null);
    });
    const upload: Upload = readDeclaration({ purpose, target, ...form });
    return finishUpload(parts, uploaderId, upload, { id, path });
  });
}

/** Reads the complete form and writes the file to disk. `admit` checks its name before the first byte. */
async function readFileForm(
  { req, env }: Context<Env>,
  purpose: UploadPurpose,
  path: string,
  admit: (name: string) => Promise<void>,
): Promise<{ name: string; note: string | null }> {
  const form = openForm(req.header("content-type") ?? "", purpose);
  let file: { name: string; written: Promise<void> } | null = null;
  let note: string | null = null;
  let problem: unknown = null;
  const giveUp = (reason: unknown) => {
    problem ??= reason;
    form.destroy();
  };
  form.on("file", (_field, stream, { filename: name }) => {
    stream.on("error", giveUp);
    stream.once("limit", () => giveUp(new RefusedUpload(uploadRules[purpose].tooLarge)));
    if (!name) return stream.resume();
    file = { name, written: admit(name).then(() => pipeToFile(stream, path)) };
    file.written.catch(giveUp);
  });
  form.on("field", (name, value) => {
    if (name === "note") note = value;
  });
  form.on("filesLimit", () => giveUp(createRefusal(purpose, oneFileOnly)));
  form.on("error", () => giveUp(createRefusal(purpose, unreadable)));

  await pipeToForm(toByteStream(env.incoming), form, maxFormBytes).catch(() =>
    giveUp(createRefusal(purpose, unreadable)),
  );
  const upload = file as { name: string; written: Promise<void> } | null;
  await upload?.written.catch(giveUp);
  if (problem) throw problem;
  if (!upload) throw createRefusal(purpose, noFileChosen);
  return { name: upload.name, note };
}

function openForm(contentType: string, purpose: UploadPurpose): Busboy {
  try {
    return createFormParser(contentType, {
      maxBytes: uploadRules[purpose].maxBytes,
      maxFieldBytes: 8 * 1024,
    });
  } catch {
    throw createRefusal(purpose, unreadable);
  }
}

function pipeToFile(stream: Readable, path: string): Promise<void> {
  return pipeline(stream, createWriteStream(path, { flags: "wx", mode: 0o600 }));
}

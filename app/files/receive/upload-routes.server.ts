import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import busboy, { type Busboy } from "busboy";
import { type Context, Hono } from "hono";
import type { RequestFacts } from "../../platform/app-context.server.ts";
import { logFailure } from "../../platform/log.server.ts";
import { uploadsByOutcome } from "../../platform/metrics.server.ts";
import { parseOwnPath } from "../../platform/own-path.ts";
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
import { toByteStream } from "./request-bytes.server.ts";
import { createTusHandler } from "./resumable.server.ts";

type Env = {
  Bindings: { incoming: IncomingMessage };
  Variables: { facts: RequestFacts; actor: { id: string } | null };
};

/** Receives files: `/uploads` by the tus protocol, `/uploads/form` from a plain form. */
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
  return answer(toStreamingRequest(context), actor.id).then((response) => {
    const outcome = getTusOutcome(context.req.method, response);
    if (outcome) uploadsByOutcome.inc({ outcome });
    return response;
  });
}

/** The request with its bytes as they come, uncopied. */
function toStreamingRequest({ req: { method, raw }, env: { incoming } }: Context<Env>): Request {
  if (method !== "POST" && method !== "PATCH") return raw;
  const { url, headers } = raw;
  const withBytes: RequestInit & { duplex: "half" } = {
    method,
    headers,
    body: toByteStream(incoming),
    duplex: "half",
  };
  return new Request(url, withBytes);
}

/** Most answers of the protocol are about a part of a file; null for them. */
function getTusOutcome(method: string, { status, headers }: Response): string | null {
  if (status >= 500) return "failed";
  const isAboutFile = headers.get("content-type")?.startsWith("application/json");
  if (!isAboutFile || (method !== "POST" && method !== "PATCH")) return null;
  return status < 300 ? "stored" : "refused";
}

/** Redirects to the page that the form came from, which shows the result. */
async function respondToForm(context: Context<Env>, parts: UploadParts): Promise<Response> {
  const asked = context.req.query();
  const purpose = uploadPurposes.find((known) => known === asked.purpose);
  if (!purpose) return context.text("We couldn't tell what this file is for.", 400);
  const next = parseOwnPath(asked.next) ?? "/";
  const actor = context.get("actor");
  const { toasts } = context.get("facts");
  if (!actor) {
    toasts.push({ kind: "error", title: getUploadFailureTitle(purpose), description: noSession });
    return context.redirect(`/login?next=${encodeURIComponent(next)}`, 303);
  }
  const problem = await saveFormUpload(context, parts, actor.id, {
    purpose,
    target: asked.target ?? "",
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

/** At most this much of a form is read, so that a sender of a too large file still gets an answer. */
const longestForm = 256 * 1_048_576;

const unreadable = "We couldn't read the form. Please try again.";

/**
 * Receives one file by a plain form, for browsers without scripts: as a stream, by the rules of every
 * other upload. A field "note" goes with it.
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

/** Reads the whole form, the file onto the disk; `admit` decides by its name before its first byte. */
async function readFileForm(
  { req, env }: Context<Env>,
  purpose: UploadPurpose,
  path: string,
  admit: (name: string) => Promise<void>,
): Promise<{ name: string; note: string | null }> {
  const form = openForm(req.header("content-type") ?? "", purpose);
  let file: { name: string; kept: Promise<void> } | null = null;
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
    file = { name, kept: admit(name).then(() => pipeToFile(stream, path)) };
    file.kept.catch(giveUp);
  });
  form.on("field", (name, value) => {
    if (name === "note") note = value;
  });
  form.on("filesLimit", () => giveUp(createRefusal(purpose, oneFileOnly)));
  form.on("error", () => giveUp(createRefusal(purpose, unreadable)));

  await pour(toByteStream(env.incoming), form).catch(() =>
    giveUp(createRefusal(purpose, unreadable)),
  );
  const found = file as { name: string; kept: Promise<void> } | null;
  await found?.kept.catch(giveUp);
  if (problem) throw problem;
  if (!found) throw createRefusal(purpose, noFileChosen);
  return { name: found.name, note };
}

function openForm(contentType: string, purpose: UploadPurpose): Busboy {
  try {
    return busboy({
      headers: { "content-type": contentType },
      defParamCharset: "utf8",
      limits: {
        files: 1,
        fields: 5,
        parts: 7,
        fieldSize: 8 * 1024,
        headerPairs: 20,
        // It stops at the limit, where a file that just fits would not be told from a longer one.
        fileSize: uploadRules[purpose].maxBytes + 1,
      },
    });
  } catch {
    throw createRefusal(purpose, unreadable);
  }
}

function pipeToFile(stream: Readable, path: string): Promise<void> {
  return pipeline(stream, createWriteStream(path, { flags: "wx", mode: 0o600 }));
}

/** Reads what comes to its end, also after the form was given up: a browser listens only then. */
async function pour(bytes: ReadableStream<Uint8Array>, form: Writable): Promise<void> {
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.byteLength;
    if (read > longestForm) break;
    if (!form.destroyed && !form.write(chunk)) await ready(form);
  }
  if (!form.destroyed) await waitForEnd(form);
}

function ready(form: Writable): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      form.off("drain", goOn).off("close", goOn);
      resolve();
    };
    form.on("drain", goOn).on("close", goOn);
  });
}

function waitForEnd(form: Writable): Promise<void> {
  return new Promise((resolve) => {
    form.once("close", resolve);
    form.end();
  });
}

import { type Context, Hono } from "hono";
import type { RequestFacts } from "../../platform/app-context.server.ts";
import { logFailure } from "../../platform/log.server.ts";
import { uploadsByOutcome } from "../../platform/metrics.server.ts";
import { ownPath } from "../../platform/own-path.ts";
import { failedTitle, noSession, uploadedTitle } from "../field/upload-copy.ts";
import { uploadPurposes, type UploadPurpose } from "../rules.ts";
import type { UploadParts } from "./admit-upload.server.ts";
import { receiveForm } from "./plain-form.server.ts";
import { resumableUploads } from "./resumable.server.ts";
import { asNoRoom, RefusedUpload } from "./upload-rules.server.ts";

type Env = { Variables: { facts: RequestFacts; actor: { id: string } | null } };

/** Receives files: `/uploads` by the tus protocol, `/uploads/form` from a plain form. */
export function uploadRoutes(parts: UploadParts): Hono<Env> {
  const resumable = resumableUploads(parts);
  const routes = new Hono<Env>();

  routes.post("/form", (context) => answerForm(context, parts));
  routes.all("/", (context) => speakTus(context, ["POST", "OPTIONS"], resumable));
  routes.all("/:id", (context) =>
    speakTus(context, ["HEAD", "PATCH", "DELETE", "OPTIONS"], resumable),
  );
  return routes;
}

function speakTus(
  context: Context<Env>,
  methods: string[],
  answer: ReturnType<typeof resumableUploads>,
): Response | Promise<Response> {
  if (!methods.includes(context.req.method)) {
    return context.text("Method not allowed", 405, { Allow: methods.join(", ") });
  }
  const actor = context.get("actor");
  if (!actor) return context.json({ title: failedTitle(null), description: noSession }, 401);
  return answer(context.req.raw, actor.id).then((response) => {
    const outcome = outcomeOf(context.req.method, response);
    if (outcome) uploadsByOutcome.inc({ outcome });
    return response;
  });
}

/** Most answers of the protocol are about a part of a file; null for them. */
function outcomeOf(method: string, { status, headers }: Response): string | null {
  if (status >= 500) return "failed";
  const isAboutFile = headers.get("content-type")?.startsWith("application/json");
  if (!isAboutFile || (method !== "POST" && method !== "PATCH")) return null;
  return status < 300 ? "stored" : "refused";
}

/** Goes back to the page that the form came from, which then tells what became of the file. */
async function answerForm(context: Context<Env>, parts: UploadParts): Promise<Response> {
  const asked = context.req.query();
  const purpose = uploadPurposes.find((known) => known === asked.purpose);
  if (!purpose) return context.text("It is not clear what this file is for.", 400);
  const next = ownPath(asked.next) ?? "/";
  const actor = context.get("actor");
  const { toasts } = context.get("facts");
  if (!actor) {
    toasts.push({ kind: "error", title: failedTitle(purpose), description: noSession });
    return context.redirect(`/login?next=${encodeURIComponent(next)}`, 303);
  }
  const problem = await receive(context, parts, actor.id, { purpose, target: asked.target ?? "" });
  if (problem) toasts.push({ kind: "error", ...problem, about: purpose });
  else toasts.push({ kind: "success", title: uploadedTitle(purpose) });
  return context.redirect(next, 303);
}

async function receive(
  context: Context<Env>,
  parts: UploadParts,
  uploaderId: string,
  declaration: { purpose: UploadPurpose; target: string },
): Promise<RefusedUpload["problem"] | null> {
  try {
    await receiveForm(parts, uploaderId, declaration, context.req.raw);
    uploadsByOutcome.inc({ outcome: "stored" });
    return null;
  } catch (error) {
    uploadsByOutcome.inc({ outcome: error instanceof RefusedUpload ? "refused" : "failed" });
    if (error instanceof RefusedUpload) return error.problem;
    const request = context.get("facts").id;
    logFailure(parts.app.log, error, "upload", { request });
    return (
      asNoRoom(error, declaration.purpose)?.problem ?? {
        title: failedTitle(declaration.purpose),
        description: "Please try again.",
      }
    );
  }
}

import { type Context, Hono } from "hono";
import type { Actor } from "../../accounts/actor.server.ts";
import { contentDisposition } from "../../files/serve-file.server.ts";
import type { RequestFacts } from "../../platform/app-context.server.ts";
import { second } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Unavailable } from "../../platform/errors.ts";
import { type Log, logFailure } from "../../platform/log.server.ts";
import { type Annotatable, findAnnotatable } from "./annotatable.server.ts";
import { type AnnotatedPdfs, noPdf } from "./annotated-pdfs.server.ts";

type Env = { Variables: { actor: Actor | null; facts: RequestFacts } };

type Parts = { config: Pick<Config, "product">; db: Database; log: Log; pdfs: AnnotatedPdfs };

/** Proxies give up after a minute; what is still being made then, is made all the same. */
const patience = 45 * second;

/**
 * Answers `/service-review/<review>/annotated.pdf`: what a reviewer says, as one file, for those who may read
 * all of it. It is made where it is not there yet; where that fails, the screen of the review says why. To
 * anybody else it is not found, as if there were none: whatever comes next answers.
 */
export function annotatedRoutes({ config, db, log, pdfs }: Parts): Hono<Env> {
  const routes = new Hono<Env>();
  routes.get("/:id/annotated.pdf", async (context, next) => {
    const actor = context.get("actor");
    const { name } = config.product;
    const found = actor && (await findAnnotatable(db, actor, context.req.param("id"), name));
    if (!found) return next();
    const { annotatable, isOwn } = found;
    const sendBack = (problem: string) => {
      context
        .get("facts")
        .toasts.push({ kind: "error", title: "No PDF yet", description: problem });
      context.header("Cache-Control", "no-store");
      return context.redirect(screenOf(actor, context.req.param("id"), isOwn), 303);
    };
    if (!annotatable) return sendBack(noPdf.coming);
    const there = await send(context, pdfs, annotatable);
    if (there) return there;
    const request = context.get("facts").id;
    const problem = await madeOrWhyNot(pdfs, annotatable, actor.id, log, request);
    if (problem !== null) return sendBack(problem);
    return (await send(context, pdfs, annotatable)) ?? sendBack(noPdf.failed);
  });
  return routes;
}

/** Where a review is read: by its customer, its reviewer, an admin. */
function screenOf(actor: Actor, reviewId: string, isOwn: boolean): string {
  if (isOwn) return `/service-review/${reviewId}`;
  return actor.isGodAdmin ? "/admin/reviews/completed" : `/reviewer/submission/${reviewId}`;
}

/** Null once it is there; else why not, in a sentence. */
async function madeOrWhyNot(
  pdfs: AnnotatedPdfs,
  annotatable: Annotatable,
  whose: string,
  log: Log,
  request: string,
): Promise<string | null> {
  const making = pdfs.make(annotatable, whose).catch((error: unknown) => {
    if (error instanceof Unavailable) throw error;
    logFailure(log, error, "annotated pdf", { request });
    return noPdf.failed;
  });
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    late = setTimeout(() => resolve(noPdf.slow), patience);
  });
  return Promise.race([making, tooLate]).finally(() => clearTimeout(late));
}

/** Null where it is not there. */
async function send(
  context: Context<Env>,
  pdfs: AnnotatedPdfs,
  annotatable: Annotatable,
): Promise<Response | null> {
  const found = await pdfs.find(annotatable);
  if (!found) return null;
  const { title, productName } = annotatable.content;
  const headers = {
    "Cache-Control": "private, no-store",
    "Content-Disposition": contentDisposition("attachment", `${title} - ${productName}.pdf`),
    "Content-Length": String(found.size),
    "Content-Type": "application/pdf",
  };
  if (context.req.method !== "HEAD") return context.body(found.stream, 200, headers);
  await found.stream.cancel();
  return context.body(null, 200, headers);
}

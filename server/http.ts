import { type Context, type Handler, Hono, type MiddlewareHandler } from "hono";
import type { ServerBuild } from "react-router";
import { providerCallbacks } from "../app/payments/provider-callbacks.server.ts";
import { isExpected, Unavailable } from "../app/platform/errors.ts";
import type { Log } from "../app/platform/log.server.ts";
import { demoPages } from "./demo-pages.ts";
import { formsOnly } from "./forms-only.ts";
import { compressed } from "./compressed.ts";
import { loadedAhead } from "./prefetches.ts";
import { offline } from "./offline.ts";
import { publicDocuments } from "./public-documents.ts";
import { actorOf, cookiesToSet, type Env, gatherFacts } from "./request.ts";
import { retryAfter } from "./retry-after.ts";
import { screenFinder, screens } from "./screens.ts";
import { oneOrigin, sameOrigin, securityHeaders } from "./security.ts";
import type { Services } from "./services.ts";
import { staticFiles } from "./static-files.ts";
import { storedFiles } from "./stored-files.ts";
import { uploads } from "./uploads.ts";

/** The HTTP application: what happens to every request, then who answers which path. */
export function httpApp(services: Services, build: ServerBuild): Hono<Env> {
  const { machine } = services;
  const { config, db, log } = machine;
  const app = new Hono<Env>();

  app.use(staticFiles(build));
  app.use(oneOrigin(config));
  app.use(async (context, next) => {
    context.set("facts", gatherFacts(context, config));
    context.set("actor", null);
    await next();
  });
  if (config.logLevel === "debug") app.use(logged(log));
  app.use(services.pages.ready());
  app.use(securityHeaders(config));
  app.use(compressed());
  app.use(retryAfter());

  // The same for everybody: no session is read, and no cookie set.
  app.route("/", publicDocuments(services));
  app.route("/", offline(config.product));

  app.use(async (context, next) => {
    await next();
    for (const cookie of cookiesToSet(context)) context.res.headers.append("Set-Cookie", cookie);
  });
  app.get("/healthz", (context) => context.text("ok"));
  app.get("/readyz", async (context) => {
    await db.execute("select 1");
    return context.text("ready");
  });

  // Before the check of the origin, and without a session: they come from the provider's site.
  app.route("/", providerCallbacks(machine, services.payments));

  app.use(sameOrigin(config));
  app.use(async (context, next) => {
    context.set("actor", await actorOf(context, machine));
    await next();
  });

  app.route("/uploads", uploads(services));
  app.route("/storage", storedFiles(services));
  if (config.mode === "demo") app.route("/demo", demoPages(machine));
  app.use(formsOnly(screenFinder(build)));
  app.use(loadedAhead());
  const drawScreen = screens(build, services);
  app.all("*", services.pages.around(drawScreen));

  app.onError((error, context) => {
    if (isExpected(error)) return new Response(error.message, error.init);
    const id = context.get("facts")?.id ?? "none";
    if (error instanceof Unavailable) {
      log.warn({ why: error.why, request: id, path: context.req.path }, "database unavailable");
      return answerUnavailable(context, error, drawScreen);
    }
    log.error({ err: error, request: id }, "unexpected");
    return context.text(`Unexpected Application Error!\n\nReference: ${id}`, 500);
  });
  return app;
}

/** Without the database: a page for people, one line for programs and for the router's own requests. */
async function answerUnavailable(
  context: Context<Env>,
  error: Unavailable,
  drawScreen: Handler<Env>,
): Promise<Response> {
  context.get("facts").unavailable = error;
  const { req } = context;
  const isForPeople = req.header("accept")?.includes("text/html") && !req.path.endsWith(".data");
  const answer = isForPeople
    ? ((await drawScreen(context, async () => {})) as Response)
    : context.text(error.message, 503);
  answer.headers.set("Cache-Control", "no-store");
  return answer;
}

/** Logs each request, once it is answered. */
function logged(log: Log): MiddlewareHandler<Env> {
  return async (context, next) => {
    const begun = performance.now();
    await next();
    const { req, res } = context;
    log.debug({
      request: context.get("facts").id,
      method: req.method,
      path: req.path,
      status: res.status,
      ms: Math.round(performance.now() - begun),
    });
  };
}

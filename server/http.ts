import { type Context, type Handler, Hono } from "hono";
import type { ServerBuild } from "react-router";
import type { Actor } from "../app/accounts/actor.server.ts";
import { fileRoutes } from "../app/files/serve-file.server.ts";
import { pictureRoutes } from "../app/files/render/pictures.server.ts";
import { uploadRoutes } from "../app/files/receive/upload-routes.server.ts";
import { providerCallbacks } from "../app/payments/provider-callbacks.server.ts";
import { isExpected, Unavailable } from "../app/platform/errors.ts";
import { createSharedPictureRoutes } from "../app/annotations/share/shared-pages.server.ts";
import { createAnnotatedPdfRoutes } from "../app/annotations/annotated-pdf/annotated-pdfs.server.ts";
import { createReceiptRoutes } from "../app/review-customer/payments/receipt-routes.server.ts";
import { findReadableFile, canReadFile } from "../app/reviews/may-read-file.server.ts";
import { demoPages } from "./demo-pages.ts";
import { formsOnly } from "./http/forms-only.ts";
import { compressed } from "./http/compressed.ts";
import { healthChecks } from "./http/health.ts";
import { observed, routeOf } from "./http/observed.ts";
import { loadedAhead } from "./http/prefetches.ts";
import { offline } from "./offline.ts";
import { publicDocuments } from "./public/public-documents.ts";
import { actorOf, cookiesToSet, type Env, gatherFacts } from "./http/request.ts";
import { retryAfter } from "./http/retry-after.ts";
import { samePerson } from "./http/same-person.ts";
import { screenPatterns, screenRenderer, screens } from "./screens.ts";
import { oneOrigin, sameOrigin, securityHeaders } from "./http/security.ts";
import { sensiblePaths } from "./http/sensible-paths.ts";
import type { Services } from "./services/services.ts";
import { staticFiles } from "./http/static-files.ts";

/** The HTTP application: what happens to every request, then who answers which path. */
export function httpApp(services: Services, build: ServerBuild): Hono<Env> {
  const { app } = services;
  const { config, db, log } = app;
  const screenAt = screenPatterns(build);
  const routes = new Hono<Env>();

  routes.use(observed(log, screenAt));
  routes.use(sensiblePaths(config));
  routes.use(staticFiles(build, config));
  routes.route("/", healthChecks(config, services.readiness));
  routes.use(oneOrigin(config));
  routes.use(async (context, next) => {
    context.set("facts", gatherFacts(context, config));
    context.set("actor", null);
    await next();
  });
  routes.use(services.pages.ready());
  routes.use(securityHeaders(config));
  routes.use(compressed());
  routes.use(retryAfter());

  // The same for everybody: no session is read, and no cookie set.
  routes.route("/", publicDocuments(services));
  routes.route("/", offline(config.product));

  routes.use(async (context, next) => {
    await next();
    for (const cookie of cookiesToSet(context, config))
      context.res.headers.append("Set-Cookie", cookie);
  });

  // Before the check of the origin, and without a session: they come from the provider's site.
  routes.route("/", providerCallbacks(app, services.payments));

  routes.use(sameOrigin(config));
  routes.use(async (context, next) => {
    context.set("actor", await actorOf(context, app));
    await next();
  });
  routes.use(samePerson());

  routes.route("/uploads", uploadRoutes(services.uploads));
  routes.route(
    "/storage",
    fileRoutes(services.store, (actor: Actor, ...file) => findReadableFile(db, actor, ...file)),
  );
  routes.route(
    "/pictures",
    pictureRoutes(services.store, (actor: Actor, fileId) => canReadFile(db, actor, fileId)),
  );
  routes.route("/shared", createSharedPictureRoutes(db, services.store));
  routes.route(
    "/service-review",
    createAnnotatedPdfRoutes({ config, db, log, pdfs: services.annotated }),
  );
  routes.route("/profile/payments", createReceiptRoutes(app, services.receipts));
  if (config.mode === "demo") routes.route("/demo", demoPages(app));
  routes.use(formsOnly((path) => screenAt(path) !== null));
  routes.use(loadedAhead(config));
  const render = screenRenderer(build, services);
  const renderScreen = screens(render, config);
  routes.all("*", services.signedInPages.around(render, services.pages.around(renderScreen)));

  routes.onError((error, context) => {
    if (isExpected(error)) return new Response(error.message, error.init);
    const id = context.get("facts")?.id ?? "none";
    if (error instanceof Unavailable) {
      const route = routeOf(context, screenAt);
      log.warn({ why: error.why, request: id, route }, `${error.service} unavailable`);
      return answerUnavailable(context, error, renderScreen);
    }
    log.error({ err: error, request: id }, "unexpected");
    return context.text(`Unexpected Application Error!\n\nReference: ${id}`, 500);
  });
  return routes;
}

/** Without a service that it needs: a page for people, one line for programs and for the router's own requests. */
async function answerUnavailable(
  context: Context<Env>,
  error: Unavailable,
  renderScreen: Handler<Env>,
): Promise<Response> {
  context.get("facts").unavailable = error;
  const { req } = context;
  const isForPeople = req.header("accept")?.includes("text/html") && !req.path.endsWith(".data");
  const answer = isForPeople
    ? ((await renderScreen(context, async () => {})) as Response)
    : context.text(error.message, 503);
  answer.headers.set("Cache-Control", "no-store");
  return answer;
}

import { type Context, type Handler, Hono } from "hono";
import type { ServerBuild } from "react-router";
import type { Actor } from "../app/accounts/actor.server.ts";
import { createFileRoutes } from "../app/files/serve-file.server.ts";
import { createPictureRoutes } from "../app/files/render/pictures.server.ts";
import { uploadRoutes } from "../app/files/receive/upload-routes.server.ts";
import { createCallbackRoutes } from "../app/payments/provider-callbacks.server.ts";
import { logFailure } from "../app/platform/log.server.ts";
import { isExpected, Unavailable } from "../app/platform/errors.ts";
import { createSharedPictureRoutes } from "../app/annotations/share/shared-pages.server.ts";
import { createAnnotatedPdfRoutes } from "../app/annotations/annotated-pdf/annotated-pdfs.server.ts";
import { createExportRoutes } from "../app/own-data/export/export-routes.server.ts";
import { createReceiptRoutes } from "../app/review-customer/payments/receipt-routes.server.ts";
import { createStatementRoutes } from "../app/review-staff/earnings/statement-routes.server.ts";
import { recordFileView } from "../app/reviews/file-views/file-views.server.ts";
import { hasOpenQuestionFor } from "../app/annotations/follow-up/questions.server.ts";
import { findReadableFile, canReadFile } from "../app/reviews/may-read-file.server.ts";
import { createOneClickRoutes } from "../app/seekers/alerts/one-click.server.ts";
import { createOwnLogoRoutes } from "../app/companies/logo/logo-routes.server.ts";
import { createDemoPages } from "./demo-pages.ts";
import { acceptOnlyForms } from "./http/forms-only.ts";
import { compressResponses } from "./http/compressed.ts";
import { countViews } from "./http/count-views.ts";
import { createHealthRoutes } from "./http/health.ts";
import { logRequests, getRoutePattern } from "./http/observed.ts";
import { handlePrefetches } from "./http/prefetches.ts";
import { createOfflineRoutes } from "./offline.ts";
import { createPublicDocumentRoutes } from "./public/public-documents.ts";
import { findRequestActor, listCookiesToSet, type Env, getRequestFacts } from "./http/request.ts";
import { retryAfter } from "./http/retry-after.ts";
import { requireSamePerson } from "./http/same-person.ts";
import { createScreenMatcher, createScreenRenderer, renderScreens } from "./screens.ts";
import { redirectToOrigin, requireSameOrigin, setSecurityHeaders } from "./http/security.ts";
import { rejectSenselessPaths } from "./http/sensible-paths.ts";
import type { Services } from "./services/services.ts";
import { serveStaticFiles } from "./http/static-files.ts";

/** Creates the HTTP application: middleware for every request, then the routes. */
export function createHttpApp(services: Services, build: ServerBuild): Hono<Env> {
  const { app } = services;
  const { config, db, log } = app;
  const screenAt = createScreenMatcher(build);
  const routes = new Hono<Env>();

  routes.use(logRequests(log, screenAt));
  routes.use(rejectSenselessPaths(config));
  routes.use(serveStaticFiles(build, config));
  routes.route("/", createHealthRoutes(config, services.readiness));
  routes.use(redirectToOrigin(config));
  routes.use(async (context, next) => {
    context.set("facts", getRequestFacts(context, config));
    context.set("actor", null);
    await next();
  });
  routes.use(countViews(services.views));
  routes.use(services.pages.ready());
  routes.use(setSecurityHeaders(config));
  routes.use(compressResponses());
  routes.use(retryAfter());

  // The same for everyone, so no session is read and no cookie is set.
  routes.route("/", createPublicDocumentRoutes(services));
  routes.route("/", createOfflineRoutes(config.product));

  routes.use(async (context, next) => {
    await next();
    for (const cookie of listCookiesToSet(context, config))
      context.res.headers.append("Set-Cookie", cookie);
  });

  // Before the origin check and without a session, because they come from the payment provider's site.
  routes.route("/", createCallbackRoutes(app, services.payments));

  // Also without a session. Mail programs stop alerts from their own sites.
  routes.route("/", createOneClickRoutes(app));

  routes.use(requireSameOrigin(config));
  routes.use(async (context, next) => {
    context.set("actor", await findRequestActor(context, app));
    await next();
  });
  routes.use(requireSamePerson());

  routes.route("/uploads", uploadRoutes(services.uploads));
  routes.route(
    "/storage",
    createFileRoutes(services.store, async (actor: Actor, bucket, path) => {
      const file = await findReadableFile(db, actor, bucket, path, hasOpenQuestionFor(db, actor));
      // Reading still works on a full disk, so a failed write must not block it.
      if (file)
        await recordFileView(db, actor, { bucket, path }).catch((error: unknown) =>
          logFailure(log, error, "file view not recorded", {}),
        );
      return file;
    }),
  );
  routes.route(
    "/pictures",
    createPictureRoutes(services.store, (actor: Actor, fileId) =>
      canReadFile(db, actor, fileId, hasOpenQuestionFor(db, actor)),
    ),
  );
  routes.route("/", createOwnLogoRoutes(db));
  routes.route("/shared", createSharedPictureRoutes(app, services.store));
  routes.route(
    "/service-review",
    createAnnotatedPdfRoutes({ config, db, log, pdfs: services.annotated }),
  );
  routes.route("/profile/payments", createReceiptRoutes(app, services.receipts));
  routes.route("/reviewer/earnings", createStatementRoutes(app, services.receipts));
  routes.route("/profile/data/export", createExportRoutes(app, services.store));
  if (config.mode === "demo") routes.route("/demo", createDemoPages(app));
  routes.use(acceptOnlyForms((path) => screenAt(path) !== null));
  routes.use(handlePrefetches(config));
  const render = createScreenRenderer(build, services);
  const renderScreen = renderScreens(render, config);
  routes.all("*", services.signedInPages.around(render, services.pages.around(renderScreen)));

  routes.onError((error, context) => {
    if (isExpected(error)) return new Response(error.message, error.init);
    const id = context.get("facts")?.id ?? "none";
    if (error instanceof Unavailable) {
      const route = getRoutePattern(context, screenAt);
      log.warn({ why: error.why, request: id, route }, `${error.service} unavailable`);
      return respondUnavailable(context, error, renderScreen);
    }
    log.error({ err: error, request: id }, "unexpected");
    return context.text(`Unexpected Application Error!\n\nReference: ${id}`, 500);
  });
  return routes;
}

/** Responds while a service is unavailable: a page for browsers, one line for other clients. */
async function respondUnavailable(
  context: Context<Env>,
  error: Unavailable,
  renderScreen: Handler<Env>,
): Promise<Response> {
  context.get("facts").unavailable = error;
  const { req } = context;
  const wantsPage = req.header("accept")?.includes("text/html") && !req.path.endsWith(".data");
  const response = wantsPage
    ? ((await renderScreen(context, async () => {})) as Response)
    : context.text(error.message, 503);
  response.headers.set("Cache-Control", "no-store");
  return response;
}

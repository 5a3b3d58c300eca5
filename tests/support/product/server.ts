import { getRequestListener } from "@hono/node-server";
import type { ServerBuild } from "react-router";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { openSession, getSessionCookieName } from "../../../app/accounts/session.server.ts";
import { createDocumentProcess } from "../../../app/files/inspect/document-process.server.ts";
import { countContactView } from "../../../app/jobs/contact/view-limit.server.ts";
import { createLog } from "../../../app/platform/log.server.ts";
import {
  createAnnotatedPdfs,
  createAnnotateProcess,
} from "../../../app/annotations/annotated-pdf/annotated-pdfs.server.ts";
import { createReceiptProcess } from "../../../app/review-customer/payments/receipt-routes.server.ts";
import {
  countUnusedUploads,
  isUploadAttached,
} from "../../../app/reviews/unreferenced-files.server.ts";
import { openLeases } from "../../../app/platform/leases.server.ts";
import { openPartials, openStore } from "../../../server/process/open-files.ts";
import { createHttpApp } from "../../../server/http.ts";
import { createDocumentCache } from "../../../server/cache/documents.ts";
import { createPageCache } from "../../../server/cache/pages.ts";
import { createSignedInPages } from "../../../server/cache/signed-in-pages.ts";
import { createChangeCache } from "../../../server/cache/change-cache.ts";
import { uploadRules } from "../../../server/services/upload-rules.ts";
import { createImageWorker } from "../../../server/social-images/image-worker.ts";
import type { Services } from "../../../server/services/services.ts";
import { testConfig } from "./config.ts";
import type { TestDatabase } from "./database.ts";
import { publicPages } from "../inventory/screens.ts";
import { testPayments } from "../payments/payments.ts";
import { keepingServer, listenOn } from "../servers/http.ts";
import { whenFileEnds } from "./when-file-ends.ts";

/**
 * Starts the HTTP application on its own port, without screens.
 *
 * @param env settings; files go to `DATA_DIR`
 * @param programs programs for the file processes, if not their sources
 */
export async function testServer(
  { db }: TestDatabase,
  env: { DATA_DIR: string } & Record<string, string>,
  programs: { documents?: string; annotator?: string } = {},
) {
  const server = keepingServer();
  const port = await listenOn(server);
  const config = testConfig({ ...env, PORT: String(port), ORIGIN: `http://127.0.0.1:${port}` });
  const leases = openLeases(db);
  const store = await openStore(config, leases);
  const app = { config, db, log: createLog("silent") };
  const payments = testPayments(config.payu);
  const cache = createChangeCache();
  const images = createImageWorker(config.product.name);
  const uploadedDocuments = createDocumentProcess({ program: programs.documents });
  const annotator = createAnnotateProcess({ program: programs.annotator });
  const receipts = createReceiptProcess();
  const screens = {
    pages: publicPages,
    isCached: () => false,
    isShared: () => false,
    getCacheKey: () => null,
  };
  const services: Services = {
    app,
    readiness: { isDraining: false },
    pools: {},
    patientDb: db,
    store,
    payments,
    screens,
    pages: createPageCache(cache, config, screens),
    signedInPages: createSignedInPages(cache, config, screens, (actor, jobId) =>
      countContactView({ db, config }, actor, jobId),
    ),
    documents: createDocumentCache(cache),
    images,
    annotated: createAnnotatedPdfs({ config, store, annotator }),
    receipts,
    views: { add() {}, flush: async () => {}, close: async () => {} },
    uploads: {
      app,
      store,
      rules: uploadRules,
      documents: uploadedDocuments,
      countHeldFiles: countUnusedUploads,
      isInPlace: isUploadAttached,
      partials: await openPartials(config),
      leases,
    },
    provide() {},
    async close() {},
  };
  const http = createHttpApp(services, withoutScreens);
  server.on("request", getRequestListener(http.fetch));
  whenFileEnds(async () => {
    await images.close();
    await uploadedDocuments.close();
    await annotator.close();
    await receipts.close();
    server.closeAllConnections();
    server.close();
  });

  return {
    origin: config.origin,
    port,
    config,
    app,
    store,
    uploads: services.uploads,
    payments,
    /** Signs a person in and returns the Cookie header. */
    async cookieOf(person: Actor): Promise<string> {
      const { token } = await openSession(db, person.id);
      return `${getSessionCookieName(config)}=${token}`;
    },
  };
}

const withoutScreens = {
  assetsBuildDirectory: "tests/fixtures",
  basename: "/",
  entry: {
    module: { default: () => new Response("Not found", { status: 404 }), handleError() {} },
  },
  future: {},
  routes: { home: { id: "home", path: "home", module: {} } },
  assets: { version: "test", routes: {}, entry: { imports: [], module: "" }, url: "" },
  isSpaMode: false,
  ssr: true,
  prerender: [],
  publicPath: "/",
  routeDiscovery: { mode: "lazy", manifestPath: "/__manifest" },
} as unknown as ServerBuild;

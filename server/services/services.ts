import { join } from "node:path";
import type { RouterContextProvider } from "react-router";
import {
  createDocumentProcess,
  documentProcess as documentProcessKey,
} from "../../app/files/inspect/document-process.server.ts";
import { renderProcess } from "../../app/files/render/render-process.server.ts";
import { createMeasuredStore } from "../../app/files/store.server.ts";
import { createMailTransport } from "../../app/mail/transport.server.ts";
import { type Payments, payments as paymentsKey } from "../../app/payments/payments.server.ts";
import type { RunningStandIn } from "../../app/payments/stand-in/start.server.ts";
import { verifyPayment } from "../../app/payments/payu.server.ts";
import { createViewCounter } from "../../app/jobs/figures/count-views.server.ts";
import { countContactView } from "../../app/jobs/contact/view-limit.server.ts";
import { refund, refundStatus } from "../../app/payments/refunds/payu-refunds.server.ts";
import type { Config, PayuSettings } from "../../app/platform/config.server.ts";
import { getPageLimits, openDatabase, taskLimits } from "../../app/platform/database.server.ts";
import { createLog, type Log } from "../../app/platform/log.server.ts";
import type { AppContext } from "../../app/platform/app-context.server.ts";
import { openLeases } from "../../app/platform/leases.server.ts";
import { recordUse } from "../../app/platform/metrics.server.ts";
import { startTasks } from "../../app/platform/tasks.server.ts";
import { runTraced } from "../../app/platform/traces.server.ts";
import {
  createAnnotatedPdfs,
  createAnnotateProcess,
} from "../../app/annotations/annotated-pdf/annotated-pdfs.server.ts";
import {
  createFileChecks,
  fileChecks as fileChecksKey,
} from "../../app/annotations/machine-reading/check-process.server.ts";
import { createReceiptProcess } from "../../app/review-customer/payments/receipt-routes.server.ts";
import {
  countUnusedUploads,
  isUploadAttached,
} from "../../app/reviews/unreferenced-files.server.ts";
import { createDocumentCache } from "../cache/documents.ts";
import { createPageCache } from "../cache/pages.ts";
import { createSignedInPages } from "../cache/signed-in-pages.ts";
import { listenForChanges, createChangeCache } from "../cache/change-cache.ts";
import { deliverPurchase, describePurchase } from "./deliver-purchase.ts";
import { openPartials, openStore } from "../process/open-files.ts";
import type { PublicScreens } from "../cache/public-screens.ts";
import { createImageWorker } from "../social-images/image-worker.ts";
import { createTasks } from "./tasks.ts";
import { uploadRules } from "./upload-rules.ts";

/** The services that handle requests and tasks, created once per process. */
export type Services = Awaited<ReturnType<typeof openServices>>;

/** Opens the services and starts the tasks, without listening for requests. */
export async function openServices(config: Config, databaseUrl: string, screens: PublicScreens) {
  const isPooled = config.databaseDirectUrl !== null;
  const database = openDatabase(databaseUrl, {
    limits: getPageLimits(config.pageTimeout),
    isPooled,
  });
  const background = openDatabase(databaseUrl, {
    name: "naksha tasks",
    max: 5,
    limits: taskLimits,
    isPooled,
  });
  const log = createLog(config.logLevel);
  const payuStandIn = await startStandIn(config, log);
  const payments = createPayments(config, payuStandIn?.settings ?? config.payu);
  const app: AppContext = { config: { ...config, payu: payments.settings }, db: database.db, log };
  const views = createViewCounter({ db: background.db, log });
  const transport = createMailTransport(config);
  const leases = openLeases(database.db);
  const store = createMeasuredStore(await openStore(config, leases));
  const partials = await openPartials(config);
  const renderer = renderProcess();
  const annotator = createAnnotateProcess();
  const annotated = createAnnotatedPdfs({ config, store, annotator });
  const stopTasks = await startTasks(
    background,
    createTasks({
      config,
      transport,
      payments,
      store,
      partials,
      renderer,
      leases,
      pdfs: annotated,
    }),
    log,
    { work: config.role !== "web" },
  );
  const cache = createChangeCache();
  const pages = createPageCache(cache, app.config, screens);
  const documents = createDocumentCache(cache);
  const images = createImageWorker(config.product.name);
  const uploadedDocuments = createDocumentProcess();
  const receipts = createReceiptProcess();
  const fileChecks = createFileChecks();
  // The development server caches nothing, since sources change.
  const stopListening = config.viteDevServer
    ? async () => {}
    : listenForChanges(config.databaseDirectUrl ?? databaseUrl, cache, log);
  return {
    app,
    readiness: { isDraining: false },
    /** Functions that return the use of each connection pool. */
    pools: { pages: database.use, tasks: background.use } as Record<string, typeof database.use>,
    // For work that may take longer than a page: tasks and streamed documents.
    patientDb: background.db,
    store,
    payments,
    screens,
    pages,
    signedInPages: createSignedInPages(cache, app.config, screens, (actor, jobId) =>
      countContactView(app, actor, jobId),
    ),
    /** Caches feeds and sitemap indexes. */
    documents,
    /** Counts views of jobs' pages. */
    views,
    /** Draws the preview images of shared links. */
    images,
    /** Creates PDFs of reviews. */
    annotated,
    receipts,
    /** The dependencies of the upload routes. */
    uploads: {
      app,
      store,
      rules: uploadRules,
      documents: uploadedDocuments,
      countHeldFiles: countUnusedUploads,
      isInPlace: isUploadAttached,
      partials,
      leases,
    },
    /** Adds services to a screen's context. */
    provide(provider: RouterContextProvider) {
      provider.set(paymentsKey, payments);
      provider.set(fileChecksKey, fileChecks);
      provider.set(documentProcessKey, uploadedDocuments);
    },
    async close() {
      await stopListening();
      await views.close();
      await images.close();
      await uploadedDocuments.close();
      await annotator.close();
      await receipts.close();
      await fileChecks.close();
      await payuStandIn?.stop();
      // Rendering continues at the next start.
      await renderer.close();
      await stopTasks();
      transport.close();
      await Promise.all([database.close(), background.close()]);
    },
  };
}

/** Creates the payment service for the configured provider. */
export function createPayments(config: Config, settings: PayuSettings): Payments {
  /** Runs one command with tracing, and records whether the provider responded. */
  async function runPayuCommand<Result extends { outcome: string; reason?: string }>(
    command: string,
    ask: () => Promise<Result>,
  ): Promise<Result> {
    const facts = { "server.address": new URL(settings.commandUrl).hostname };
    const span = { name: `payu ${command}`, kind: "client", facts } as const;
    const failed = ({ outcome }: Result) => outcome === "unreachable" || outcome === "unknown";
    const result = await runTraced(span, async (note) => {
      const response = await ask();
      note({ facts: { "payu.outcome": response.outcome }, failed: failed(response) });
      return response;
    });
    recordUse("payu", failed(result) ? (result.reason ?? result.outcome) : null);
    return result;
  }

  return {
    settings,
    verify: (txnId) => runPayuCommand("verify_payment", () => verifyPayment(settings, txnId)),
    refund: (call) => runPayuCommand("cancel_refund_transaction", () => refund(settings, call)),
    refundStatus: (call) =>
      runPayuCommand("check_action_status", () => refundStatus(settings, call)),
    deliver: (tx, order) => deliverPurchase(config, tx, order),
    describe: describePurchase,
  };
}

/**
 * Starts PayU's stand-in in a demo. It is imported only when used, so that production never loads it. If there
 * are several processes, the worker runs it.
 */
async function startStandIn(config: Config, log: Log): Promise<RunningStandIn | null> {
  if (!config.payu.standInPorts || config.role === "web") return null;
  const { startPayuStandIn } = await import("../../app/payments/stand-in/start.server.ts");
  return startPayuStandIn({
    settings: config.payu,
    origin: config.origin,
    stateFile: join(config.dataDir, "payu-stand-in.db"),
    log,
  }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The test payment page could not start: ${why}. PAYU_STAND_IN_PORT sets its port.`,
    );
  });
}

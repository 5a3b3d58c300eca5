import { join } from "node:path";
import type { RouterContextProvider } from "react-router";
import { createDocumentProcess } from "../../app/files/inspect/document-process.server.ts";
import type { UploadParts } from "../../app/files/receive/admit-upload.server.ts";
import { renderProcess } from "../../app/files/render/render-process.server.ts";
import { type FileStore, createMeasuredStore } from "../../app/files/store.server.ts";
import { createMailTransport } from "../../app/mail/transport.server.ts";
import { type Payments, payments as paymentsKey } from "../../app/payments/payments.server.ts";
import type { RunningStandIn } from "../../app/payments/stand-in/start.server.ts";
import { verifyPayment } from "../../app/payments/payu.server.ts";
import { refund, refundStatus } from "../../app/payments/refunds/payu-refunds.server.ts";
import type { Config, PayuSettings } from "../../app/platform/config.server.ts";
import {
  type Database,
  type DatabasePool,
  openDatabase,
  pageLimits,
  taskLimits,
} from "../../app/platform/database.server.ts";
import { createLog, type Log } from "../../app/platform/log.server.ts";
import type { AppContext } from "../../app/platform/app-context.server.ts";
import { openLeases } from "../../app/platform/leases.server.ts";
import { recordUse } from "../../app/platform/metrics.server.ts";
import { startTasks } from "../../app/platform/tasks.server.ts";
import { runTraced } from "../../app/platform/traces.server.ts";
import {
  type AnnotatedPdfs,
  createAnnotatedPdfs,
  createAnnotateProcess,
} from "../../app/annotations/annotated-pdf/annotated-pdfs.server.ts";
import {
  createReceiptProcess,
  type ReceiptProcess,
} from "../../app/review-customer/payments/receipt-routes.server.ts";
import {
  countUnusedUploads,
  isUploadAttached,
} from "../../app/reviews/unreferenced-files.server.ts";
import { type DocumentCache, createDocumentCache } from "../cache/documents.ts";
import { type PageCache, createPageCache } from "../cache/pages.ts";
import { createSignedInPages, type SignedInPages } from "../cache/signed-in-pages.ts";
import { listenForChanges, createChangeCache } from "../cache/change-cache.ts";
import { deliverPurchase, describePurchase } from "./deliver-purchase.ts";
import type { Readiness } from "../http/health.ts";
import { openPartials, openStore } from "../process/open-files.ts";
import type { PublicScreens } from "../cache/public-screens.ts";
import { type ImageWorker, createImageWorker } from "../social-images/image-worker.ts";
import { createTasks } from "./tasks.ts";
import { uploadRules } from "./upload-rules.ts";

/** Everything that answers requests and does tasks, put together once a process. */
export type Services = {
  app: AppContext;
  readiness: Readiness;
  /** The use of the connections, by purpose. */
  pools: Record<string, DatabasePool["use"]>;
  /** For what may take longer than a page: tasks, and documents that are sent as they are read. */
  patientDb: Database;
  store: FileStore;
  payments: Payments;
  screens: PublicScreens;
  pages: PageCache;
  signedInPages: SignedInPages;
  /** Feeds and the lists of sitemaps. */
  documents: DocumentCache;
  /** Reviews as PDFs. */
  annotated: AnnotatedPdfs;
  receipts: ReceiptProcess;
  /** The parts that receiving files needs. */
  uploads: UploadParts;
  /** Draws the images beside shared links. */
  images: ImageWorker;
  /** Hands the parts that capabilities ask for to a screen's context. */
  provide(provider: RouterContextProvider): void;
  close(): Promise<void>;
};

/** Opens the parts and begins to work through the tasks; nothing listens yet. */
export async function openServices(
  config: Config,
  databaseUrl: string,
  screens: PublicScreens,
): Promise<Services> {
  const isPooled = config.databaseDirectUrl !== null;
  const database = openDatabase(databaseUrl, { limits: pageLimits, isPooled });
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
  const transport = createMailTransport(config);
  const leases = openLeases(database.db);
  const store = createMeasuredStore(await openStore(config, leases));
  const partials = await openPartials(config);
  const renderer = renderProcess();
  const stopTasks = await startTasks(
    background,
    createTasks({ config, transport, payments, store, partials, renderer }),
    log,
    { work: config.role !== "web" },
  );
  const cache = createChangeCache();
  const pages = createPageCache(cache, app.config, screens);
  const documents = createDocumentCache(cache);
  const images = createImageWorker(config.product.name);
  const uploadedDocuments = createDocumentProcess();
  const annotator = createAnnotateProcess();
  const receipts = createReceiptProcess();
  // The development server renders every page again, since sources change.
  const stopHearing = config.viteDevServer
    ? async () => {}
    : listenForChanges(config.databaseDirectUrl ?? databaseUrl, cache, log);
  return {
    app,
    readiness: { isDraining: false },
    pools: { pages: database.use, tasks: background.use },
    patientDb: background.db,
    store,
    payments,
    screens,
    pages,
    signedInPages: createSignedInPages(cache, app.config, screens),
    documents,
    images,
    annotated: createAnnotatedPdfs({ config, store, annotator }),
    receipts,
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
    provide(provider) {
      provider.set(paymentsKey, payments);
    },
    async close() {
      await stopHearing();
      await images.close();
      await uploadedDocuments.close();
      await annotator.close();
      await receipts.close();
      await payuStandIn?.stop();
      // Rendering continues at the next start.
      await renderer.close();
      await stopTasks();
      transport.close();
      await Promise.all([database.close(), background.close()]);
    },
  };
}

/** Payments through the provider that the settings name. */
export function createPayments(config: Config, settings: PayuSettings): Payments {
  /** One command, traced, and noted as a use of the provider that worked or did not. */
  async function asking<Said extends { outcome: string; reason?: string }>(
    command: string,
    ask: () => Promise<Said>,
  ): Promise<Said> {
    const facts = { "server.address": new URL(settings.commandUrl).hostname };
    const span = { name: `payu ${command}`, kind: "client", facts } as const;
    const failed = ({ outcome }: Said) => outcome === "unreachable" || outcome === "unknown";
    const said = await runTraced(span, async (note) => {
      const answer = await ask();
      note({ facts: { "payu.outcome": answer.outcome }, failed: failed(answer) });
      return answer;
    });
    recordUse("payu", failed(said) ? (said.reason ?? said.outcome) : null);
    return said;
  }

  return {
    settings,
    verify: (txnId) => asking("verify_payment", () => verifyPayment(settings, txnId)),
    refund: (call) => asking("cancel_refund_transaction", () => refund(settings, call)),
    refundStatus: (call) => asking("check_action_status", () => refundStatus(settings, call)),
    deliver: (tx, order) => deliverPurchase(config, tx, order),
    describe: describePurchase,
  };
}

/**
 * Loaded only where it is used, so that production contains none of it. Of several processes the worker runs
 * it.
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
    throw new Error(`The PayU stand-in cannot start: ${why}. PAYU_STAND_IN_PORT names its port.`);
  });
}

import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { now } from "./clock.ts";

/** The metrics of this process in Prometheus's terms; `server/metrics.ts` serves them. */
export const counted = new Registry();

const registers = [counted];

/** Requests by pattern of route and class of status: of paths there is no end. */
export const requestSeconds = new Histogram({
  name: "naksha_http_request_duration_seconds",
  help: "From a request's arrival until its answer begins.",
  labelNames: ["method", "route", "status"],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});

export const cacheReads = new Counter({
  name: "naksha_cache_reads_total",
  help: "Reads of what is cached in this process, by whether it was there (hit) or had to be made (miss).",
  labelNames: ["cache", "result"],
  registers,
});

export const uploadsByOutcome = new Counter({
  name: "naksha_uploads_total",
  help: "Files that people sent: stored, refused with a reason, or failed by our fault.",
  labelNames: ["outcome"],
  registers,
});

export const annotatedPdfs = new Counter({
  name: "naksha_annotated_pdfs_total",
  help: "PDFs of reviews that were asked for: cached, made, refused with a reason, or failed by our fault.",
  labelNames: ["outcome"],
  registers,
});

export const paymentsByOutcome = new Counter({
  name: "naksha_payments_total",
  help: "Orders that were started, and those that ended: success, failed, wrong amount, given up.",
  labelNames: ["outcome"],
  registers,
});

const dependencyUp = new Gauge({
  name: "naksha_dependency_up",
  help: "What the last use of it by this process said: 1 that it works, 0 that it does not.",
  labelNames: ["name"],
  registers,
});

export type Dependency = "database" | "store" | "mail" | "payu";

/** A dependency that failed at its last use: since when, and why. */
export type Failing = { dependency: Dependency; since: Date; why: string };

const standing = new Map<Dependency, Failing | null>();

/** Keeps what a use of a dependency said: null that it works, else why it does not, without anybody's data. */
export function recordUse(dependency: Dependency, failure: string | null): void {
  const former = standing.get(dependency);
  // With each query: nothing to do where nothing changes.
  if (former !== undefined && (former?.why ?? null) === failure) return;
  dependencyUp.set({ name: dependency }, failure === null ? 1 : 0);
  standing.set(
    dependency,
    failure === null ? null : { dependency, since: former?.since ?? now(), why: failure },
  );
}

/** Lists the services that failed when this process used them last. */
export function listFailingUses(): Failing[] {
  return [...standing.values()].filter((failing) => failing !== null);
}

import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { now } from "./clock.ts";

/** The Prometheus metrics of this process, served by `server/metrics.ts`. */
export const counted = new Registry();

const registers = [counted];

/** Requests by route pattern and status class, since paths are unlimited. */
export const requestSeconds = new Histogram({
  name: "naksha_http_request_duration_seconds",
  help: "Time from the arrival of a request to the start of its response.",
  labelNames: ["method", "route", "status"],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});

export const cacheReads = new Counter({
  name: "naksha_cache_reads_total",
  help: "Reads of the caches in this process, by result: hit or miss.",
  labelNames: ["cache", "result"],
  registers,
});

export const uploadsByOutcome = new Counter({
  name: "naksha_uploads_total",
  help: "Uploaded files by outcome: stored, refused with a reason, or failed on our side.",
  labelNames: ["outcome"],
  registers,
});

export const annotatedPdfs = new Counter({
  name: "naksha_annotated_pdfs_total",
  help: "Requested annotated PDFs by outcome: cached, made, refused with a reason, or failed on our side.",
  labelNames: ["outcome"],
  registers,
});

export const paymentsByOutcome = new Counter({
  name: "naksha_payments_total",
  help: "Orders by outcome: started, success, failed, wrong amount, given up.",
  labelNames: ["outcome"],
  registers,
});

const dependencyUp = new Gauge({
  name: "naksha_dependency_up",
  help: "Result of the last use by this process: 1 for success, 0 for failure.",
  labelNames: ["name"],
  registers,
});

export type Dependency = "database" | "store" | "mail" | "payu";

/** A dependency that failed at its last use. */
export type Failing = { dependency: Dependency; since: Date; why: string };

const lastUses = new Map<Dependency, Failing | null>();

/** Records the result of using a dependency: null for success, else the reason without personal data. */
export function recordUse(dependency: Dependency, failure: string | null): void {
  const before = lastUses.get(dependency);
  // Called with each query, so it returns early if nothing changed.
  if (before !== undefined && (before?.why ?? null) === failure) return;
  dependencyUp.set({ name: dependency }, failure === null ? 1 : 0);
  lastUses.set(
    dependency,
    failure === null ? null : { dependency, since: before?.since ?? now(), why: failure },
  );
}

/** Lists the dependencies that failed at their last use by this process. */
export function listFailingUses(): Failing[] {
  return [...lastUses.values()].filter((failing) => failing !== null);
}

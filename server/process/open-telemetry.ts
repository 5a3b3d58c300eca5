import {
  context,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span as OpenSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { second } from "../../app/platform/clock.ts";
import type { TraceSettings } from "../../app/platform/config.server.ts";
import type { Log } from "../../app/platform/log.server.ts";
import { type Note, type Span, setTracer } from "../../app/platform/traces.server.ts";

/**
 * Sends traces to a collector by OTLP over HTTP. Only this file uses OpenTelemetry, and it is loaded only with a
 * collector. Up to 2,048 spans wait in memory, and spans that the collector doesn't accept are lost. Only the end of
 * the process waits for it, for a few seconds.
 *
 * @returns a function that sends the waiting spans and stops
 */
export function sendTraces(
  { endpoint, headers, serviceName, share }: TraceSettings,
  log: Log,
): () => Promise<void> {
  logExportProblems(log);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, "")}/v1/traces`,
    headers,
    timeoutMillis: 5 * second,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName, "process.pid": process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new LoudSpans({ exporter, exportTimeoutMillis: 6 * second })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracer = provider.getTracer("naksha");
  setTracer({
    within({ name, kind, facts }, work) {
      const isCaused = trace.getActiveSpan() !== undefined;
      if (kind === "client" && !isCaused) return work(() => {});
      const parent = kind === "client" ? context.active() : ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: facts }, parent);
      return context.with(trace.setSpan(parent, span), () => runInSpan(span, work));
    },
    current() {
      const span = trace.getActiveSpan()?.spanContext();
      return span ? { trace_id: span.traceId, span_id: span.spanId } : null;
    },
  });
  return async () => {
    setTracer(null);
    await provider
      .shutdown()
      .catch((error: Error) => log.warn({ why: error.message }, notAccepted));
    context.disable();
    diag.disable();
  };
}

const kinds: Record<Span["kind"], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

/** Records only the kind of an error, since its message may contain private data. */
async function runInSpan<Result>(span: OpenSpan, work: (note: Note) => Promise<Result>) {
  try {
    return await work((facts) => recordSpanFacts(span, facts));
  } catch (error) {
    const type = error instanceof Error ? error.name : "unknown";
    recordSpanFacts(span, { failed: true, facts: { "error.type": type } });
    throw error;
  } finally {
    span.end();
  }
}

function recordSpanFacts(span: OpenSpan, { name, facts, failed, isQuiet }: Parameters<Note>[0]) {
  if (name) span.updateName(name);
  if (facts) span.setAttributes(facts);
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  if (isQuiet) span.setAttribute(quiet, true);
}

const quiet = "naksha.quiet";

/** Leaves out spans that were marked as quiet. */
class LoudSpans extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    if (!span.attributes[quiet]) super.onEnd(span);
  }
}

const notAccepted = "traces not accepted";

/** Logs export failures. The log counts repeats. */
function logExportProblems(log: Log): void {
  const warn = (why: string) => log.warn({ why }, notAccepted);
  const ignore = () => {};
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** A piece of work in a trace. Its name and facts contain no personal data. */
export type Span = {
  /** One of few names, such as a route's pattern or a kind of call. */
  name: string;
  /** The kind of work: a request to answer, a request to another service, a task. */
  kind: "server" | "client" | "consumer";
  facts?: Facts;
};

/** Named by OpenTelemetry's conventions where possible. */
type Facts = Record<string, string | number | boolean | undefined>;

/** Adds facts that are known only after the work. */
export type Note = (known: {
  name?: string;
  facts?: Facts;
  failed?: boolean;
  /** True if the span is not worth sending. */
  isQuiet?: boolean;
}) => void;

/** The interface of tracing. */
type Tracer = {
  /** Runs the work within a span; spans of its calls are children. */
  within<Result>(span: Span, work: (note: Note) => Promise<Result>): Promise<Result>;
  /** Returns the current span for log lines; null outside of any. */
  current(): { trace_id: string; span_id: string } | null;
};

let tracer: Tracer | null = null;

/** Traces all further work with this; null stops tracing. */
export function setTracer(chosen: Tracer | null): void {
  tracer = chosen;
}

/**
 * Runs work within a span, if tracing is on. A `client` call outside a request or task is not traced, since queues
 * look for work twice a second.
 */
export function runTraced<Result>(
  span: Span,
  work: (note: Note) => Promise<Result>,
): Promise<Result> {
  return tracer ? tracer.within(span, work) : work(recordNothing);
}

function recordNothing(): void {}

/** Returns the current trace and span, with the names that log tools use. */
export function getCurrentTrace(): { trace_id: string; span_id: string } | null {
  return tracer?.current() ?? null;
}

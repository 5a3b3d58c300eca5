/** A piece of work as a trace shows it. Neither names nor facts hold anything of a person. */
export type Span = {
  /** One of few: a route's pattern, a kind of call. */
  name: string;
  /** The kind of work: a request to answer, a request to another service, a task. */
  kind: "server" | "client" | "consumer";
  facts?: Facts;
};

/** Named by OpenTelemetry's conventions where possible. */
type Facts = Record<string, string | number | boolean | undefined>;

/** Adds what is known only once the work is done. */
export type Note = (known: {
  name?: string;
  facts?: Facts;
  failed?: boolean;
  /** Not worth being told of. */
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
 * Does a piece of work, within a span where traces are made. A call to another (`client`) that no request and
 * no task has caused is not traced: queues look for work twice a second.
 */
export function runTraced<Result>(
  span: Span,
  work: (note: Note) => Promise<Result>,
): Promise<Result> {
  return tracer ? tracer.within(span, work) : work(recordNothing);
}

function recordNothing(): void {}

/** The trace and the span that the work at hand belongs to, by the names that log tools know. */
export function getCurrentTrace(): { trace_id: string; span_id: string } | null {
  return tracer?.current() ?? null;
}

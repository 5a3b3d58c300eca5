/** A piece of work as a trace shows it. Neither names nor facts hold anything of a person. */
export type Span = {
  /** One of few: a route's pattern, a kind of call. */
  name: string;
  /** What the work is to this process: a request to answer, one of its own to another, a task. */
  kind: "server" | "client" | "consumer";
  facts?: Facts;
};

/** By the names of OpenTelemetry's conventions where there are any. */
type Facts = Record<string, string | number | boolean | undefined>;

/** Adds what is known only once the work is done. */
export type Note = (known: {
  name?: string;
  facts?: Facts;
  failed?: boolean;
  /** Not worth being told of. */
  isQuiet?: boolean;
}) => void;

/** What makes traces of work. */
type Tracer = {
  /** Does the work within a span; what it calls stands below it. */
  within<Result>(span: Span, work: (note: Note) => Promise<Result>): Promise<Result>;
  /** Where the work at hand stands, for the lines of the log; null outside of any. */
  current(): { trace_id: string; span_id: string } | null;
};

let tracer: Tracer | null = null;

/** From now on work is traced by this; null ends it. */
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

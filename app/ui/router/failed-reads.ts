import { expectedUserHeader, personHeader, recordFormAnswer } from "../expected-user.ts";
import { hideToast, showToast } from "../feedback/toasts.tsx";
import { Unanswered } from "../unanswered.ts";

/*
 * Relies on the router's use of `window.fetch` for data (`.data`), `/__manifest` and scripts below `/assets`, on its
 * headers `X-Remix-Response` and `X-Remix-Reload-Document`, and on a first line with everything a screen needs. The
 * manifest is asked for `paths`, the last of which is the screen's.
 */

type Surroundings = {
  /** Returns the message for a screen that can't be loaded, by its path. */
  unread(path: string): string;
  /** Returns the current navigation, and its target unless it sends a form. */
  navigation(): { to: string | null } | null;
  /** Returns true when the screen must not stay, as after signing out. */
  isLeaving(): boolean;
};

/**
 * Passes only answers of our server to the router, which would replace the screen by an error after a proxy's 502 or a
 * lost connection. Failed reads are retried while the screen stays and shows a message. A form without an answer
 * fails with `Unanswered`, which `restoreUnsentForm` handles. The forms of a screen are sent one after another, so
 * that the server stores the last press.
 */
export function retryFailedReads({ unread, navigation, isLeaving }: Surroundings): void {
  const ask = window.fetch;
  window.fetch = async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, location.href);
    const accept = address.origin === location.origin ? getResponseCheck(address.pathname) : null;
    if (!accept) return ask(input, init);
    const isForm = (init?.method ?? "GET") !== "GET";
    // The server still handles a form that the router aborts, so the next one must wait.
    const request = isForm
      ? {
          ...init,
          signal: null,
          headers: { ...(init?.headers as object), ...expectedUserHeader() },
        }
      : init;
    const signal = request?.signal;
    const askOnce = () =>
      ask(input, request)
        .then((answer) => accept(answer, signal))
        .catch(rejectUnlessAborted(signal));
    if (isForm) return sendSequentially(address.pathname, init?.body, askOnce);
    if (accept === checkManifest) {
      // Prefetches come without a signal and can fail.
      if (!signal) return askOnce();
      if (isOpenScreen(address)) return Response.json({});
    }
    const goingTo = () => navigation()?.to ?? null;
    try {
      return await retryUntilAnswered(askOnce, {
        title: () => unread(getScreenPath(address, goingTo())),
        // Stops when the person leaves the screen while it loads.
        isWanted: () =>
          !isLeaving() &&
          (navigation() !== null || getScreenPath(address, null) === location.pathname),
        signal,
      });
    } catch (error) {
      if (error instanceof Outdated) return loadOrAnnounceNewVersion(goingTo());
      throw error;
    }
  };
}

type SentForm = {
  fields: string | false;
  answer: Promise<Response>;
  /** Resolves with the answer, or after a timeout. */
  isOver: Promise<void>;
};

/** The last form sent to each address, until it is answered or times out. */
const forms = new Map<string, SentForm>();
/** The longest time a form without an answer delays the next one. */
const formQueueTimeoutMs = 10_000;

/** Sends the forms of one address one after another. A second press on the same form does not send it again. */
async function sendSequentially(path: string, body: unknown, send: () => Promise<Response>) {
  const before = forms.get(path);
  // Forms with files can't be compared.
  const fields = body instanceof URLSearchParams && body.toString();
  if (fields && before?.fields === fields) return (await before.answer).clone();
  const answer = Promise.resolve(before?.isOver).then(send);
  const waited = new Promise<void>((done) => setTimeout(done, formQueueTimeoutMs));
  const isOver = Promise.race([waited, answer.then(recordFormAnswer, () => {})]);
  const form: SentForm = { fields, answer, isOver };
  void isOver.then(() => forms.get(path) === form && forms.delete(path));
  forms.set(path, form);
  return (await answer).clone();
}

type Signal = AbortSignal | null | undefined;

/** Accepts an answer of our server and throws for any other. */
type Accept = (answer: Response, signal: Signal) => Response | Promise<Response>;

function getResponseCheck(path: string): Accept | null {
  if (path.endsWith(".data")) return checkScreenData;
  if (path === "/__manifest") return checkManifest;
  return /^\/assets\/.*\.js$/.test(path) ? checkScript : null;
}

async function checkScreenData(answer: Response, signal: Signal): Promise<Response> {
  if (answer.headers.has(personHeader))
    throw Object.assign(new Unanswered(), { words: (await answer.json()) as Unanswered["words"] });
  if (!answer.headers.has("X-Remix-Response")) throw new Unanswered();
  return answer.body ? waitForFirstLine(answer, answer.body, signal) : answer;
}

/**
 * Checks whether the router asks for the routes of the open screen, which are known. It asks before it sends the first
 * form of a screen with parameters. Each of two quick presses would ask, and the later one could be sent first.
 */
function isOpenScreen({ searchParams }: URL): boolean {
  return searchParams.get("paths")?.split(",").at(-1) === location.pathname;
}

function checkManifest(answer: Response): Response {
  const isOutdated = answer.headers.has("X-Remix-Reload-Document");
  if (!isOutdated && !hasContentType(answer, "json")) throw new Unanswered();
  return answer;
}

/** Reads the script to its end, so that the browser has it when the router loads it. */
async function checkScript(answer: Response): Promise<Response> {
  if (answer.status === 404) throw new Outdated();
  if (!hasContentType(answer, "javascript")) throw new Unanswered();
  return new Response(await answer.arrayBuffer());
}

/** The server no longer has this version's script. */
class Outdated extends Error {}

function hasContentType({ ok, headers }: Response, type: string): boolean {
  return ok && Boolean(headers.get("Content-Type")?.includes(type));
}

/**
 * Waits for the first line of the router's format, which contains everything the screen needs. The rest is streamed.
 * After an abort the stream ends without an error, which the router would throw at the window twice.
 */
async function waitForFirstLine(
  answer: Response,
  body: ReadableStream<Uint8Array>,
  signal: Signal,
): Promise<Response> {
  const reader = body.getReader();
  const firstChunks: Uint8Array[] = [];
  for (let isWhole = false; !isWhole;) {
    const { done, value } = await reader.read();
    if (done) throw new Unanswered();
    firstChunks.push(value);
    isWhole = value.includes(0x0a);
  }
  const whole = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of firstChunks) controller.enqueue(chunk);
    },
    pull: (controller) =>
      reader.read().then(
        ({ done, value }) => (done ? controller.close() : controller.enqueue(value)),
        (error) => (signal?.aborted ? controller.close() : controller.error(error)),
      ),
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(whole, answer);
}

function rejectUnlessAborted(signal: Signal) {
  return (error: unknown): never => {
    if (signal?.aborted || error instanceof Outdated || error instanceof Unanswered) throw error;
    throw new Unanswered("No answer", { cause: error });
  };
}

function getScreenPath({ pathname }: URL, goingTo: string | null): string {
  if (pathname.endsWith(".data")) return pathname.replace(/\.data$/, "");
  return new URL(goingTo ?? "", location.href).pathname;
}

/** The pause between retries doubles from half a second up to this. */
const maxPauseSeconds = 30;

/** The reads in progress, each with a function that ends its pause. The toast stays until all have succeeded. */
const reads = new Set<{ tryAgain(): void }>();
let message: string | null = null;

async function retryUntilAnswered(
  askOnce: () => Promise<Response>,
  { title, isWanted, signal }: { title(): string; isWanted(): boolean; signal: Signal },
): Promise<Response> {
  const read = { tryAgain() {} };
  reads.add(read);
  try {
    for (let tries = 0; ; tries += 1) {
      try {
        return await askOnce();
      } catch (error) {
        if (!(error instanceof Unanswered) || !isWanted()) throw error;
      }
      if (tries > 0) message ??= showRetryToast(title());
      await waitToRetry(read, Math.min(2 ** (tries - 1), maxPauseSeconds), signal);
    }
  } finally {
    reads.delete(read);
    if (message && reads.size === 0) {
      hideToast(message);
      message = null;
    }
  }
}

function showRetryToast(title: string): string {
  return showToast({
    kind: "error",
    title,
    description: "We can't reach the server. Trying again…",
    action: {
      label: "Try again now",
      run: () => [...reads].forEach((read) => read.tryAgain()),
    },
  });
}

/** Waits, less if the connection returns or the person presses the button. Rejects when the signal aborts. */
function waitToRetry(read: { tryAgain(): void }, seconds: number, signal: Signal): Promise<void> {
  return new Promise((done, fail) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) fail(signal.reason);
      else done();
    };
    const timer = setTimeout(end, seconds * 1000);
    window.addEventListener("online", end);
    signal?.addEventListener("abort", end);
    read.tryAgain = end;
  });
}

/**
 * Loads the new version when the person is leaving the screen. Otherwise asks first, since typed text may be
 * lost.
 */
function loadOrAnnounceNewVersion(goingTo: string | null): Promise<never> {
  if (goingTo) location.assign(goingTo);
  else
    showToast({
      kind: "warning",
      title: "A new version is available",
      description: "Copy anything you've typed, then reload the page.",
      action: { label: "Reload", run: () => location.reload() },
    });
  return new Promise(() => {});
}

import { data, type DataStrategyResult, type MiddlewareFunction } from "react-router";
import type { Toast } from "../../platform/app-context.server.ts";
import { hideToast, showToast } from "./toasts.tsx";
import {
  reloadPage,
  recordFormAnswer,
  personHeader,
  expectedUserHeader,
} from "../expected-user.ts";

/** A request that the product did not answer: nothing came, a part of it, or another's page. */
export class Unanswered extends Error {
  /** The server's text, when it refused the form because someone else is signed in now. */
  words?: Pick<Toast, "title" | "description">;
}

type Surroundings = {
  /** Returns the message for a screen that cannot be read, by its path. */
  unread(path: string): string;
  /** The navigation that is under way, and where it leads unless it sends a form. */
  navigation(): { to: string | null } | null;
  /** Returns whether the screen must not stay, as after signing out. */
  isLeaving(): boolean;
};

/**
 * Sees to it that the router gets answers of the product only: it would take a proxy's "502" or a lost
 * connection for the end of the screen. What it reads is asked for again until it comes, while the
 * screen stays and says so; a form without an answer fails with `Unanswered`, see `restoreUnsentForm`. The forms of a
 * screen are sent one after the other, so that what was pressed last is what the server keeps.
 */
export function retryFailedReads({ unread, navigation, isLeaving }: Surroundings): void {
  const ask = window.fetch;
  window.fetch = async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, location.href);
    const accept = address.origin === location.origin ? getResponseCheck(address.pathname) : null;
    if (!accept) return ask(input, init);
    const isForm = (init?.method ?? "GET") !== "GET";
    // The server still handles a form that the router aborts, so the next one has to wait for it.
    const sent = isForm
      ? {
          ...init,
          signal: null,
          headers: { ...(init?.headers as object), ...expectedUserHeader() },
        }
      : init;
    const signal = sent?.signal;
    const askOnce = () =>
      ask(input, sent)
        .then((answer) => accept(answer, signal))
        .catch(rejectUnlessAborted(signal));
    if (isForm) return sendSequentially(address.pathname, init?.body, askOnce);
    // Prefetches come without a signal and can fail.
    if (accept === checkManifest && !signal) return askOnce();
    const goingTo = () => navigation()?.to ?? null;
    try {
      return await retryUntilAnswered(askOnce, {
        title: () => unread(getScreenPath(address, goingTo())),
        // A screen that was left while it loaded is not waited for.
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
  /** Ends with the answer, or when that has not come for long. */
  isOver: Promise<void>;
};

/** The last form sent to each address, until it is over. */
const forms = new Map<string, SentForm>();
/** In milliseconds, for a form that is not answered to hold up the next. */
const formQueueTimeoutMs = 10_000;

/** Sends the forms of one address one after the other, and the same one again, as by a second press, only once. */
async function sendSequentially(
  path: string,
  body: unknown,
  send: () => Promise<Response>,
): Promise<Response> {
  const before = forms.get(path);
  // Files have no words to be compared by.
  const fields = body instanceof URLSearchParams && body.toString();
  if (fields && before?.fields === fields) return (await before.answer).clone();
  const answer = Promise.resolve(before?.isOver).then(send);
  const waited = new Promise<void>((done) => setTimeout(done, formQueueTimeoutMs));
  const isOver = Promise.race([waited, answer.then(recordFormAnswer, () => {})]);
  const sent: SentForm = { fields, answer, isOver };
  void isOver.then(() => forms.get(path) === sent && forms.delete(path));
  forms.set(path, sent);
  return (await answer).clone();
}

type Signal = AbortSignal | null | undefined;

/** Takes an answer of the product's own, and throws at any other. */
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

function checkManifest(answer: Response): Response {
  const isOutdated = answer.headers.has("X-Remix-Reload-Document");
  if (!isOutdated && !hasContentType(answer, "json")) throw new Unanswered();
  return answer;
}

/** Read to its end, so that the browser has it when the router loads it. */
async function checkScript(answer: Response): Promise<Response> {
  if (answer.status === 404) throw new Outdated();
  if (!hasContentType(answer, "javascript")) throw new Unanswered();
  return new Response(await answer.arrayBuffer());
}

/** The script of a version that the server no longer has. */
class Outdated extends Error {}

function hasContentType({ ok, headers }: Response, type: string): boolean {
  return ok && Boolean(headers.get("Content-Type")?.includes(type));
}

/**
 * The first line of the router's format holds all that a screen waits for; the rest is streamed. Where the router
 * gives it up in between, it ends: what reads it for the router would throw the failure at the window, twice.
 */
async function waitForFirstLine(
  answer: Response,
  body: ReadableStream<Uint8Array>,
  signal: Signal,
): Promise<Response> {
  const reader = body.getReader();
  const begun: Uint8Array[] = [];
  for (let isWhole = false; !isWhole;) {
    const { done, value } = await reader.read();
    if (done) throw new Unanswered();
    begun.push(value);
    isWhole = value.includes(0x0a);
  }
  const whole = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of begun) controller.enqueue(piece);
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

/** Seconds before a read is tried again; the last holds from then on. */
const pauses = [0.5, 1, 2, 4, 8, 15, 30];

/** The reads under way, each with what ends its pause, and the message that stands until all came. */
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
      await waitToRetry(read, pauses[Math.min(tries, pauses.length - 1)]!, signal);
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
    description: "The server cannot be reached. It is being tried again.",
    action: {
      label: "Try again now",
      run: () => [...reads].forEach((read) => read.tryAgain()),
    },
  });
}

/** Ends early when the connection comes back or the person says so; fails when the signal does. */
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
      title: "There is a newer version of this page",
      description: "Keep what you have typed, then load the page again to go on.",
      action: { label: "Load again", run: () => location.reload() },
    });
  return new Promise(() => {});
}

/** The status of a form that never reached the server, or whose answer never came. */
export const unsent = 599;

type Words = {
  /** The request, which holds what was typed. */
  request?: Request;
  /** The title of the toast: what failed. */
  title?: string;
  /** The text of the toast, unless it is that nothing is lost. */
  description?: string;
  /** The message in the form itself. */
  message?: string;
};

type Results = Record<string, DataStrategyResult>;

/**
 * The root's `clientMiddleware`: a form that gets no answer stays on its screen with a message, where the
 * router would show an error screen. A screen with messages of its own has a `clientAction` that calls
 * `sendForm`.
 */
export const restoreUnsentForm: MiddlewareFunction<Results> = async ({ request }, next) => {
  const sent = request.method === "GET" ? undefined : request.clone();
  const results = await next();
  for (const [route, { type, result }] of Object.entries(results)) {
    // The router wraps what an action threw.
    const thrown = (result as { data?: unknown } | undefined)?.data;
    if (sent && type === "error" && thrown instanceof Unanswered)
      results[route] = { type: "data", result: await reportUnsentForm(thrown, { request: sent }) };
  }
  return results;
};

/**
 * Sends a form, and where no answer comes says so in the screen's own words:
 * `export const clientAction = ({ serverAction }: Route.ClientActionArgs) => sendForm(serverAction, words);`
 */
export async function sendForm<Answer>(serverAction: () => Promise<Answer>, words: Words) {
  const sent = words.request?.clone();
  try {
    return await serverAction();
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return reportUnsentForm(error, { ...words, request: sent });
  }
}

/**
 * Checks whether a form was refused because someone else is signed in. `restoreUnsentForm` shows that message,
 * so screens need none.
 */
export function isOtherUserError(error: unknown): boolean {
  return error instanceof Unanswered && error.words !== undefined;
}

async function reportUnsentForm(
  { words }: Unanswered,
  {
    request,
    title = "The server cannot be reached",
    description = "Nothing that you typed is lost. Please try again in a moment.",
    message,
  }: Words,
) {
  showToast(
    words
      ? { kind: "warning", ...words, action: { label: "Load again", run: reloadPage } }
      : { kind: "error", title, description },
  );
  const errors: Record<string, string> = message ? { "": message } : {};
  return data({ errors, values: await readFormTexts(request) }, { status: unsent });
}

async function readFormTexts(request: Request | undefined): Promise<Record<string, string>> {
  if (!request) return {};
  const fields = [...(await request.formData())];
  return Object.fromEntries(
    fields.filter((field): field is [string, string] => typeof field[1] === "string"),
  );
}

import type { DetailedError, Upload, UploadOptions } from "tus-js-client";
import { getUploadFailureTitle } from "../upload-messages.ts";
import { type UploadProblem, type UploadPurpose, uploadRules } from "../rules.ts";
import { hour, second } from "../../platform/clock.ts";
import { personHeader, expectedUserHeader } from "../../ui/expected-user.ts";

/** The purpose and target of a file. */
type Destination = { purpose: UploadPurpose; target: string; note: string };

export type SendingState = "sending" | "waiting for the connection" | "checking";

type SendingEvents = {
  onProgress(sent: number): void;
  onState(state: SendingState): void;
  onDone(): void;
  /** @param isOtherPersons as somebody else is signed in by now */
  onRefused(problem: UploadProblem, isOtherPersons?: boolean): void;
};

export type Sending = {
  /** Stops, and forgets what was sent. */
  cancel(): void;
  /** Stops; choosing the same file again within a day goes on from here. */
  pause(): void;
};

// A proxy may hand on only whole requests, and a lost connection then costs one of them; a phone on
// a slow network gets one of this size through before servers lose patience.
const chunkSize = 5 * 1_048_576;

const delays = [1, 2, 4, 8, 15, 30].map((seconds) => seconds * second);
/** The number of retries for a server that answers with its own failure. */
const triesOfBroken = 2;
/** A connection can be dead for long before a browser notices. */
const silence = 45 * second;
const forgottenAfter = 23 * hour;

/**
 * Sends a file to the server and keeps at it: after a lost connection it goes on where it was, as soon
 * as there is one. So it does after a reload, when the same file is chosen for the same purpose.
 */
export function sendFile(file: File, destination: Destination, events: SendingEvents): Sending {
  let upload: Upload | null = null;
  let stopped = false;
  let failures = 0;
  let furthest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const go = () => {
    clearTimeout(timer);
    if (stopped) return;
    void upload?.abort();
    events.onState("sending");
    listen();
    upload?.start();
  };
  const listen = () => {
    clearTimeout(timer);
    timer = setTimeout(() => wait(), silence);
  };
  const wait = () => {
    clearTimeout(timer);
    void upload?.abort();
    events.onState("waiting for the connection");
    timer = setTimeout(go, delays[Math.min(failures++, delays.length - 1)]);
  };
  const end = () => {
    stopped = true;
    clearTimeout(timer);
    window.removeEventListener("online", go);
  };

  // To a request a file that cannot be read is a lost connection, which nothing would bring back.
  const refuseUnreadable = async () => {
    if (!navigator.onLine || (await isReadable(file)) || stopped) return;
    end();
    events.onRefused(buildUnreadableProblem(destination.purpose));
  };

  const options: UploadOptions = {
    endpoint: "/uploads",
    headers: expectedUserHeader(),
    chunkSize,
    retryDelays: null,
    metadata: buildMetadata(file, destination),
    fingerprint: async () => buildFingerprint(file, destination),
    removeFingerprintOnSuccess: true,
    onProgress(sent) {
      if (sent > furthest) failures = 0;
      furthest = Math.max(furthest, sent);
      listen();
      events.onProgress(sent);
      if (sent === file.size) events.onState("checking");
    },
    onSuccess() {
      end();
      events.onDone();
    },
    onError(error) {
      if (stopped) return;
      const problem = findRefusal(error, destination.purpose, failures);
      if (!problem) {
        wait();
        return void refuseUnreadable();
      }
      end();
      // The received part stays: choosing the same file later continues from there.
      const answer = "originalResponse" in error ? error.originalResponse : null;
      if (upload && answer?.getStatus() !== 507) void deleteUpload(upload);
      events.onRefused(problem, Boolean(answer?.getHeader(personHeader)));
    },
  };

  void loadUpload(file, options).then(
    (prepared) => {
      upload = prepared;
      window.addEventListener("online", go);
      go();
    },
    () => {
      if (!stopped) events.onRefused(buildRetryProblem(destination.purpose));
    },
  );
  return {
    pause() {
      end();
      void upload?.abort();
    },
    cancel() {
      end();
      // Without a connection the server deletes it within a day.
      upload?.abort(true).catch(() => {});
    },
  };
}

/** Loads the protocol, which no page carries before a file is chosen, and finds what was sent before. */
async function loadUpload(file: File, options: UploadOptions): Promise<Upload> {
  const { Upload } = await import("tus-js-client");
  const upload = new Upload(file, options);
  const found = await upload.findPreviousUploads();
  const bornAt = ({ creationTime }: (typeof found)[number]) => Date.parse(creationTime);
  const newest = found
    .filter((one) => Date.now() - bornAt(one) < forgottenAfter)
    .reduce<(typeof found)[number] | null>(
      (best, one) => (best && bornAt(best) > bornAt(one) ? best : one),
      null,
    );
  if (newest) upload.resumeFromPreviousUpload(newest);
  return upload;
}

async function deleteUpload(upload: Upload): Promise<void> {
  for (const { urlStorageKey } of await upload.findPreviousUploads())
    localStorage.removeItem(urlStorageKey);
}

function buildMetadata(file: File, { purpose, target, note }: Destination): Record<string, string> {
  return { purpose, target, name: file.name, ...(note && { note }) };
}

/** The same file for another purpose is another upload. */
function buildFingerprint(file: File, { purpose, target, note }: Destination): string {
  return ["naksha", purpose, target, note, file.name, file.size, file.lastModified].join("-");
}

/** Why the server does not want the file; null when it is worth trying again. */
function findRefusal(
  error: Error | DetailedError,
  purpose: UploadPurpose,
  failures: number,
): UploadProblem | null {
  const answer = "originalResponse" in error ? error.originalResponse : null;
  const told = readProblem(answer?.getBody());
  if (told) return told;
  if (answer?.getStatus() === 413) return uploadRules[purpose].tooLarge;
  // Without an answer there is no connection, which may take a while. An unreachable server (502 to 504 come
  // from a proxy) is waited for. A server that keeps failing is broken.
  if (!answer) return null;
  return failures >= (answer.getStatus() === 500 ? triesOfBroken : delays.length)
    ? buildRetryProblem(purpose)
    : null;
}

function readProblem(body: string | undefined): UploadProblem | null {
  try {
    const { title, description } = JSON.parse(body ?? "") as Partial<UploadProblem>;
    return title && description ? { title, description } : null;
  } catch {
    return null;
  }
}

/** A file can no longer be read once it was written, moved or deleted after it was chosen. */
function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

function buildUnreadableProblem(purpose: UploadPurpose): UploadProblem {
  return {
    title: getUploadFailureTitle(purpose),
    description: "The file was changed, moved or deleted meanwhile. Please choose it again.",
  };
}

function buildRetryProblem(purpose: UploadPurpose): UploadProblem {
  return { title: getUploadFailureTitle(purpose), description: "Please try again." };
}

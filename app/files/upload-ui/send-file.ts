import type { DetailedError, Upload, UploadOptions } from "tus-js-client";
import { getUploadFailureTitle } from "../upload-messages.ts";
import { type UploadProblem, type UploadPurpose, uploadRules } from "../rules.ts";
import { hour, second } from "../../platform/clock.ts";
import { personHeader, expectedUserHeader } from "../../ui/expected-user.ts";

type Destination = { purpose: UploadPurpose; target: string; note: string };

export type SendingState = "sending" | "waiting for the connection" | "checking";

type SendingEvents = {
  onProgress(sent: number): void;
  onState(state: SendingState): void;
  onDone(): void;
  /** @param isOtherPersons true if another person is signed in now */
  onRefused(problem: UploadProblem, isOtherPersons?: boolean): void;
};

export type Sending = {
  /** Stops, and deletes the partial upload. */
  cancel(): void;
  /** Stops. Choosing the same file again within a day resumes the upload. */
  pause(): void;
};

// Behind a proxy that forwards only complete requests, a lost connection loses one chunk. A phone on a slow
// network can send a chunk of this size before servers time out.
const chunkSize = 5 * 1_048_576;

const delays = [1, 2, 4, 8, 15, 30].map((seconds) => seconds * second);
/** The number of retries after a server error (500). */
const maxServerErrorRetries = 2;
/** A browser may not notice a dead connection for a long time. */
const silenceTimeout = 45 * second;
const resumableFor = 23 * hour;

/**
 * Sends a file to the server. It resumes after a lost connection, and after a reload if the same file is chosen for
 * the same purpose.
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
    timer = setTimeout(() => wait(), silenceTimeout);
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

  // A file that can't be read looks like a lost connection, but retrying won't help.
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
    onProgress(loaded) {
      if (loaded > furthest) failures = 0;
      furthest = Math.max(furthest, loaded);
      listen();
      events.onProgress(loaded);
      if (loaded === file.size) events.onState("checking");
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
      // The server keeps the received part, so choosing the same file later resumes.
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
      // If this fails, the server deletes it within a day.
      upload?.abort(true).catch(() => {});
    },
  };
}

/** Loads the tus client when a file is chosen, and finds an earlier upload of the file to resume. */
async function loadUpload(file: File, options: UploadOptions): Promise<Upload> {
  const { Upload } = await import("tus-js-client");
  const upload = new Upload(file, options);
  const uploads = await upload.findPreviousUploads();
  const createdAt = ({ creationTime }: (typeof uploads)[number]) => Date.parse(creationTime);
  const newest = uploads
    .filter((one) => Date.now() - createdAt(one) < resumableFor)
    .reduce<(typeof uploads)[number] | null>(
      (best, one) => (best && createdAt(best) > createdAt(one) ? best : one),
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

/** Returns the server's reason to refuse the file, or null if a retry may help. */
function findRefusal(error: Error | DetailedError, purpose: UploadPurpose, failures: number) {
  const answer = "originalResponse" in error ? error.originalResponse : null;
  const problem = readProblem(answer?.getBody());
  if (problem) return problem;
  if (answer?.getStatus() === 413) return uploadRules[purpose].tooLarge;
  // No answer means no connection, and 502 to 504 come from a proxy whose server is away: both may recover. A
  // server that keeps answering 500 won't.
  if (!answer) return null;
  return failures >= (answer.getStatus() === 500 ? maxServerErrorRetries : delays.length)
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

/** A file that was changed, moved or deleted after it was chosen can't be read. */
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
    description: "The file was changed, moved or deleted. Please choose it again.",
  };
}

function buildRetryProblem(purpose: UploadPurpose): UploadProblem {
  return { title: getUploadFailureTitle(purpose), description: "Please try again." };
}

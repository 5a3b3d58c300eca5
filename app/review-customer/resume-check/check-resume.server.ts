import type { RouterContextProvider } from "react-router";
import { fileChecks } from "../../annotations/machine-reading/check-process.server.ts";
import { readFormFile } from "../../files/receive/one-file-form.server.ts";
import { uploadRules } from "../../files/rules.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { hour, minute, now, second } from "../../platform/clock.ts";
import { TooMany } from "../../platform/errors.ts";
import { createFormRefusal, type Refusal, runCommand } from "../../platform/forms.server.ts";
import { countAsker, countTry, type RateLimit } from "../../platform/rate-limit.server.ts";
import { readAndDropBody } from "../../platform/request-body.server.ts";
import { cleanLine } from "../../platform/text/text.ts";

/** A network checks three files an hour. All networks together check sixty. */
const checksByNetwork: RateLimit = { name: "resume-check", max: 3, windowMs: hour };
const checksInAll: RateLimit = { name: "resume-check-all", max: 60, windowMs: hour };

const maxNameLength = 100;

/** Checks what software reads in the file of a form. Nothing is stored, and nothing about the file is logged. */
export async function checkResume(context: Readonly<RouterContextProvider>, request: Request) {
  const { maxBytes } = uploadRules.resume;
  let secondsUntilFree: number | null = null;
  const receive = async () => {
    await countAsker(context, checksByNetwork);
    await countTry(context.get(appContext), checksInAll, "all").catch((error: unknown) => {
      if (error instanceof TooMany) secondsUntilFree = error.retryAfterSeconds;
      throw error;
    });
    return readFormFile(request, maxBytes);
  };
  const attempt = await runCommand(context, () => context.get(fileChecks).check(receive), {
    fallback: "We couldn't check this file. Please try again in a moment.",
  });
  // Browsers read the answer only after sending everything.
  if (!request.bodyUsed) await readAndDropBody(request);
  if (!attempt.ok)
    return {
      refusal: secondsUntilFree ? createBusyRefusal(context, secondsUntilFree) : attempt.refusal,
    };
  if (attempt.value === null) return { refusal: createBusyRefusal(context, minute / second) };
  const { name, reading } = attempt.value;
  const cleanName = cleanLine(name.toWellFormed()).slice(0, maxNameLength).toWellFormed();
  return { name: cleanName || "Your resume", reading, checkedAt: String(now().getTime()) };
}

function createBusyRefusal(context: Readonly<RouterContextProvider>, seconds: number): Refusal {
  context.get(requestFacts).retryAfterSeconds = seconds;
  const minutes = Math.ceil(seconds / (minute / second));
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return createFormRefusal(503, { "": `Busy, try again in ${wait}.` });
}

import { type ActionFunctionArgs, data, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { Conflict, Invalid, isExpected, TooMany, Unavailable } from "./errors.ts";
import { appContext, requestFacts, type Toast } from "./app-context.server.ts";
import { logFailure } from "./log.server.ts";
import { cleanText } from "./text/text.ts";
import { addToast } from "./toasts.server.ts";

/** The data of a refused form: a message for each field and the typed values. */
export type FormProblems = {
  errors: Record<string, string>;
  values: Record<string, string>;
  /** Identifies the error for the screen. */
  code?: string;
};

/** The result of an action for a refused form. */
export type Refusal = ReturnType<typeof createFormRefusal>;

type Context = Readonly<RouterContextProvider>;

/** A posted form: its request and its fields. */
export type Posted = Pick<ActionFunctionArgs<Context>, "request" | "url" | "params" | "context"> & {
  form: FormData;
};

/** A posted form that matches its schema: its value and the typed texts. */
export type Sent<Value> = Posted & { value: Value; values: Record<string, string> };

/** A toast for the person, and the data for the screen. */
type Answer<Data> = { toast?: Toast; data: Data };

/** The failure of a command: a sentence for the person, the refusal, and the error's code and current value. */
export type Failure = { message: string; refusal: Refusal; code?: string; current?: unknown };

type FormHandler<Schema extends z.ZodType, Result, Done, Failed, Refused> = {
  schema: Schema;
  /** Runs the command and counts attempts first. */
  run(sent: Sent<z.output<Schema>>): Promise<Result>;
  done(result: Result, sent: Sent<z.output<Schema>>): Answer<Done>;
  /** The title of the toast that gives the reason, or a function that returns the answer. */
  failed:
    | string
    | ((
        failure: Failure,
        sent: Sent<z.output<Schema>>,
      ) => Answer<Failed> | Promise<Answer<Failed>>);
  /** The reason shown for a server error. */
  fallback?: string;
  /** The answer to invalid fields. By default each field gets its message. */
  invalid?: (refusal: Refusal) => Answer<Refused>;
  /** The status for invalid fields. Defaults to 422. */
  invalidStatus?: 400 | 422;
};

/**
 * The action of a screen with one form: parses the form, runs the command and answers. After any failure the answer
 * contains the typed text.
 *
 * @returns the data of `done` or `failed`, or the refusal with a message for each field
 */
export function createFormAction<
  Schema extends z.ZodType,
  Result,
  Done,
  Failed = Refusal,
  Refused = Refusal,
>(handler: FormHandler<Schema, Result, Done, Failed, Refused>) {
  const answer = createFormIntent(handler);
  return async (args: Omit<Posted, "form">) =>
    answer({ ...args, form: await args.request.formData() });
}

/**
 * The action of a screen with several forms or buttons, chosen by the field `intent`. The row "" handles any other
 * intent. Without such a row those forms are refused.
 *
 * @param readForm reads a form with a file
 */
export function createFormActions<
  Table extends Record<string, (posted: Posted) => Promise<unknown>>,
>(table: Table, readForm = (request: Request) => request.formData()) {
  type Answers = Awaited<ReturnType<Table[keyof Table]>>;
  return async (args: Omit<Posted, "form">): Promise<Answers | Refusal> => {
    const form = await readForm(args.request);
    const values = readTextFields(form);
    const row = [values.intent ?? "", ""].find((name) => Object.hasOwn(table, name));
    if (row === undefined) return createFormRefusal(422, { intent: messages.error() }, values);
    return table[row]!({ ...args, form }) as Promise<Answers>;
  };
}

/**
 * The action of an endpoint for changes that scripts send with `sendChange`. It answers in JSON: the result, or the
 * message with its code and, in a conflict, the current value.
 *
 * @param schema a union over `intent`, the only place where the change is parsed
 */
export function createChangeAction<Schema extends z.ZodType>(
  schema: Schema,
  run: (sent: Sent<z.output<Schema>>) => Promise<unknown>,
) {
  return createFormAction({
    schema,
    run,
    done: (result) => ({ data: Response.json({ result: result ?? null }) }),
    failed({ message, refusal, code, current }) {
      const { errors } = refusal.data;
      const status = refusal.init?.status ?? 500;
      return { data: Response.json({ message, errors, code, current }, { status }) };
    },
    invalid(refusal) {
      const { errors } = refusal.data;
      const message = Object.values(errors).join(" ");
      return { data: Response.json({ message, errors }, { status: 422 }) };
    },
    fallback: "Please try again in a moment.",
  });
}

/** One row of the table of `createFormActions`. */
export function createFormIntent<
  Schema extends z.ZodType,
  Result,
  Done,
  Failed = Refusal,
  Refused = Refusal,
>({
  schema,
  run,
  done,
  failed,
  fallback = "Please try again later.",
  invalid,
  invalidStatus = 422,
}: FormHandler<Schema, Result, Done, Failed, Refused>) {
  return async (posted: Posted): Promise<Done | NoInfer<Failed | Refused>> => {
    const { context } = posted;
    const respond = <Data>({ toast, data: answer }: Answer<Data>) => {
      if (toast) addToast(context, toast);
      return answer;
    };
    const read = readFields(posted.form, schema, invalidStatus);
    // The result types default to refusals.
    if (!read.ok) return respond(invalid?.(read.refusal) ?? { data: read.refusal as Refused });
    const form = { ...posted, value: read.value, values: read.values };
    const attempt = await runCommand(context, () => run(form), { values: read.values, fallback });
    if (attempt.ok) return respond(done(attempt.value, form));
    return typeof failed === "string"
      ? respond({
          toast: buildFailureToast(failed, attempt.message),
          data: attempt.refusal as Failed,
        })
      : respond(await failed(attempt, form));
  };
}

/** Builds the answer to a successful form whose screen stays. */
export function buildSuccess(message: string | Toast) {
  const toast: Toast = typeof message === "string" ? { kind: "success", title: message } : message;
  return { toast, data: { ok: true as const } };
}

/** Builds the toast of a failure, without a description if the title is the reason. */
export function buildFailureToast(title: string, reason: string): Toast {
  return { kind: "error", title, description: reason === title ? undefined : reason };
}

/** For `failed`: shows the reason as the toast's title, and not above the form too. */
export function showReasonAsToast({ message, refusal }: Failure): Answer<Refusal> {
  const { errors: all, values } = refusal.data;
  const { "": _inToast, ...errors } = all;
  return {
    toast: buildFailureToast(message, message),
    data: data({ errors, values }, refusal.init ?? undefined),
  };
}

/** For `failed` on a screen that shows the reason above its form: the toast has only the title. */
export function showReasonAboveForm(title: string) {
  return ({ refusal }: Failure): Answer<Refusal> => ({
    toast: { kind: "error", title },
    data: refusal,
  });
}

type Read<Schema extends z.ZodType> =
  | { ok: true; value: z.output<Schema>; values: Record<string, string> }
  | { ok: false; refusal: Refusal };

/**
 * Parses a posted form with its schema. A missing field or a file counts as empty, and the last of repeated fields
 * counts. A refusal has the first message of each field and the typed text, without passwords.
 */
function readFields<Schema extends z.ZodType>(
  form: FormData,
  schema: Schema,
  status: number,
): Read<Schema> {
  const values = readTextFields(form);
  const parsed = parseTexts(schema, values);
  if (parsed.success) return { ok: true, value: parsed.data, values };
  const errors: Record<string, string> = {};
  for (const issue of parsed.error.issues) errors[issue.path.join(".")] ??= issue.message;
  return { ok: false, refusal: createFormRefusal(status, errors, values) };
}

/** Replaces the library's messages with one that says what to do. */
const messages = { error: () => "Please check this field and send the form again" };

function parseTexts<Schema extends z.ZodType>(schema: Schema, values: Record<string, string>) {
  const parsed = schema.safeParse(values, messages);
  const absent = (parsed.error?.issues ?? []).filter(
    ({ code, path }) =>
      code === "invalid_type" && path.length === 1 && !Object.hasOwn(values, path[0]!),
  );
  if (absent.length === 0) return parsed;
  const empty = Object.fromEntries(absent.map(({ path }) => [path[0], ""]));
  return schema.safeParse({ ...empty, ...values }, messages);
}

type Attempt<Value> = { ok: true; value: Value } | ({ ok: false } & Failure);

/**
 * Runs a command for a form. An error that the person caused becomes a refusal with its message, for the form as a
 * whole unless it names fields. Any other error is logged and answered with `fallback`, so that no typed text is lost.
 */
export async function runCommand<Value>(
  context: Readonly<RouterContextProvider>,
  command: () => Promise<Value>,
  { values = {}, fallback }: { values?: Record<string, string>; fallback: string },
): Promise<Attempt<Value>> {
  try {
    return { ok: true, value: await command() };
  } catch (error) {
    if (error instanceof TooMany)
      context.get(requestFacts).retryAfterSeconds = error.retryAfterSeconds;
    if (isExpected(error)) {
      const { message, code } = error;
      const errors = error instanceof Invalid ? { ...error.fields } : { "": message };
      const current = error instanceof Conflict ? error.current : undefined;
      const refusal = createFormRefusal(error.init.status, errors, values, code);
      return { ok: false, refusal, message, code, current };
    }
    const request = context.get(requestFacts).id;
    const { log } = context.get(appContext);
    logFailure(log, error, "unexpected", { request });
    const refusal = createFormRefusal(
      error instanceof Unavailable ? 503 : 500,
      { "": fallback },
      values,
    );
    return { ok: false, refusal, message: fallback };
  }
}

/** Loads an optional part of a screen. An error is only logged. */
export async function withFallback<Value, Otherwise>(
  context: Context,
  read: () => Promise<Value>,
  otherwise: Otherwise,
): Promise<Value | Otherwise> {
  const part = await runCommand(context, read, { fallback: "" });
  return part.ok ? part.value : otherwise;
}

/** Creates the answer to a refused form. */
export function createFormRefusal(
  status: number,
  errors: Record<string, string>,
  values: Record<string, string> = {},
  code?: string,
) {
  const visible = Object.entries(values).filter(([name]) => !isPassword(name));
  const problems: FormProblems = { errors, values: Object.fromEntries(visible), code };
  return data(problems, { status });
}

function isPassword(name: string): boolean {
  return /password/i.test(name);
}

/** Cleans every text of a form. Passwords stay as typed, except for null characters. */
function readTextFields(form: FormData): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value !== "string") continue;
    fields[name] = isPassword(name) ? value.replaceAll("\u0000", "") : cleanText(value);
  }
  return fields;
}

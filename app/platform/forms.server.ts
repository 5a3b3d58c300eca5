import { type ActionFunctionArgs, data, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { Conflict, Invalid, isExpected, TooMany, Unavailable } from "./errors.ts";
import { appContext, requestFacts, type Toast } from "./app-context.server.ts";
import { logFailure } from "./log.server.ts";
import { cleanText } from "./text/text.ts";
import { addToast } from "./toasts.server.ts";

/** The data of a refused form: a message for each field, and the typed values. */
export type FormProblems = {
  errors: Record<string, string>;
  values: Record<string, string>;
  /** Names the error, for a screen that has to tell it from others. */
  code?: string;
};

/** The result of an action for a refused form. */
export type Refusal = ReturnType<typeof createFormRefusal>;

type Context = Readonly<RouterContextProvider>;

/** A form as it was posted: the request that brought it, and its fields. */
export type Posted = Pick<ActionFunctionArgs<Context>, "request" | "url" | "params" | "context"> & {
  form: FormData;
};

/** A posted form that keeps to its schema: its value, and the texts as they were typed. */
export type Sent<Value> = Posted & { value: Value; values: Record<string, string> };

/** A toast for the person, and the data for the screen. */
type Answer<Data> = { toast?: Toast; data: Data };

/** Why a command was not done: the sentence for the person, the refusal, and what the error says to code. */
export type Failure = { message: string; refusal: Refusal; code?: string; current?: unknown };

type FormHandler<Schema extends z.ZodType, Result, Done, Failed, Refused> = {
  schema: Schema;
  /** The command, and what has to be counted before it. */
  run(sent: Sent<z.output<Schema>>): Promise<Result>;
  done(result: Result, sent: Sent<z.output<Schema>>): Answer<Done>;
  /** The title of the toast that gives the reason, or what is answered instead. */
  failed:
    | string
    | ((
        failure: Failure,
        sent: Sent<z.output<Schema>>,
      ) => Answer<Failed> | Promise<Answer<Failed>>);
  /** The reason that is given for a failure of ours. */
  fallback?: string;
  /** The answer to invalid fields; a message at each unless given. */
  invalid?: (refusal: Refusal) => Answer<Refused>;
  /** The status of an answer about such fields; 422 unless given. */
  invalidStatus?: 400 | 422;
};

/**
 * The action of a screen with one form: reads it by its schema, runs the command, and answers. What the
 * person may mend, and every failure of ours, is answered with what was typed.
 *
 * @returns what `done` or `failed` return to the screen, or the refusal with a message a field.
 */
export function createFormAction<
  Schema extends z.ZodType,
  Result,
  Done,
  Failed = Refusal,
  Refused = Refusal,
>(handler: FormHandler<Schema, Result, Done, Failed, Refused>) {
  const answer = createFormIntent(handler);
  return async (asked: Omit<Posted, "form">) =>
    answer({ ...asked, form: await asked.request.formData() });
}

/**
 * The action of a screen with several forms or buttons: the field `intent` says which is meant. The row
 * named "" answers what has another intent or none; without such a row that is refused.
 */
export function createFormActions<
  Table extends Record<string, (posted: Posted) => Promise<unknown>>,
>(table: Table) {
  type Answers = Awaited<ReturnType<Table[keyof Table]>>;
  return async (asked: Omit<Posted, "form">): Promise<Answers | Refusal> => {
    const form = await asked.request.formData();
    const values = readTextFields(form);
    const row = [values.intent ?? "", ""].find((name) => Object.hasOwn(table, name));
    if (row === undefined) return createFormRefusal(422, { intent: ourWords.error() }, values);
    return table[row]!({ ...asked, form }) as Promise<Answers>;
  };
}

/**
 * The action of an endpoint that scripts send changes to while their screen stays. It answers in data, as `sendChange`
 * reads it: the result, or the message with its code and, in a conflict, the value as it is now.
 *
 * @param schema a union over `intent`, the only place where the change is read
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
    const say = <Data>({ toast: said, data: answer }: Answer<Data>) => {
      if (said) addToast(context, said);
      return answer;
    };
    const read = readFields(posted.form, schema, invalidStatus);
    // The result types default to refusals.
    if (!read.ok) return say(invalid?.(read.refusal) ?? { data: read.refusal as Refused });
    const sent = { ...posted, value: read.value, values: read.values };
    const tried = await runCommand(context, () => run(sent), { values: read.values, fallback });
    if (tried.ok) return say(done(tried.value, sent));
    return typeof failed === "string"
      ? say({ toast: buildFailureToast(failed, tried.message), data: tried.refusal as Failed })
      : say(await failed(tried, sent));
  };
}

/** The answer to a form that was done and leaves its screen where it is. */
export function buildSuccess(said: string | Toast) {
  const message: Toast = typeof said === "string" ? { kind: "success", title: said } : said;
  return { toast: message, data: { ok: true as const } };
}

/** The toast of a failure: what was not done, and why, unless the title says it all. */
export function buildFailureToast(title: string, reason: string): Toast {
  return { kind: "error", title, description: reason === title ? undefined : reason };
}

/** For `failed`: the reason says it all. It is the toast's title, and not shown above the form as well. */
export function showReasonAsToast({ message, refusal }: Failure): Answer<Refusal> {
  const { errors: all, values } = refusal.data;
  const { "": _inToast, ...errors } = all;
  return {
    toast: buildFailureToast(message, message),
    data: data({ errors, values }, refusal.init ?? undefined),
  };
}

/** For `failed` on a screen that shows the reason above its form: the toast has the title alone. */
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
 * Reads a posted form by its schema. A field that did not come, or came as a file, counts as empty; of
 * one that came twice the last counts. A refusal has the first message of each field, and what was
 * typed, less the fields whose names contain "password".
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

/** Replaces a library's messages by one that says what to do. */
const ourWords = { error: () => "Please check this field and send the form again" };

function parseTexts<Schema extends z.ZodType>(schema: Schema, values: Record<string, string>) {
  const parsed = schema.safeParse(values, ourWords);
  const absent = (parsed.error?.issues ?? []).filter(
    ({ code, path }) =>
      code === "invalid_type" && path.length === 1 && !Object.hasOwn(values, path[0]!),
  );
  if (absent.length === 0) return parsed;
  const empty = Object.fromEntries(absent.map(({ path }) => [path[0], ""]));
  return schema.safeParse({ ...empty, ...values }, ourWords);
}

type Attempt<Value> = { ok: true; value: Value } | ({ ok: false } & Failure);

/**
 * Runs a command for a form. An error that the person caused becomes a refusal with its message (of
 * the form as a whole unless it names fields). Any other error is logged, and answered with the
 * `fallback` text so that nothing typed is lost.
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

/** Reads a part of a screen that the rest can do without; why it cannot be read is only logged. */
export async function withFallback<Value, Otherwise>(
  context: Context,
  read: () => Promise<Value>,
  otherwise: Otherwise,
): Promise<Value | Otherwise> {
  const part = await runCommand(context, read, { fallback: "" });
  return part.ok ? part.value : otherwise;
}

/** The answer to a form that is refused. */
export function createFormRefusal(
  status: number,
  errors: Record<string, string>,
  values: Record<string, string> = {},
  code?: string,
) {
  const shown = Object.entries(values).filter(([name]) => !isPassword(name));
  const problems: FormProblems = { errors, values: Object.fromEntries(shown), code };
  return data(problems, { status });
}

function isPassword(name: string): boolean {
  return /password/i.test(name);
}

/** Every text of a form as it is stored and compared. Passwords are compared as they were typed, whatever is in them. */
function readTextFields(form: FormData): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value !== "string") continue;
    fields[name] = isPassword(name) ? value.replaceAll("\u0000", "") : cleanText(value);
  }
  return fields;
}

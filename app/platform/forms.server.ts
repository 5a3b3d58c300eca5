import { data, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { Invalid, isExpected, TooMany, Unavailable } from "./errors.ts";
import { appContext, requestFacts } from "./app-context.server.ts";

/** What a screen shows again when a form was refused: a message a field, and what was typed. */
export type FormProblems = {
  errors: Record<string, string>;
  values: Record<string, string>;
};

/** What an action returns for a form that is refused. */
export type Refusal = ReturnType<typeof refuse>;

export type ReadForm<Schema extends z.ZodType> =
  | { ok: true; value: z.output<Schema>; values: Record<string, string> }
  | { ok: false; refusal: Refusal };

/**
 * Reads a posted form by its schema. A field that did not come, or came as a file, counts as empty; of
 * one that came twice the last counts.
 *
 * @returns the value, or the refusal that the action returns: the first message of each
 * field, and what was typed, less the fields whose names contain "password".
 */
export async function readForm<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  status = 422,
): Promise<ReadForm<Schema>> {
  const values = textFields(await request.formData());
  const parsed = parseTexts(schema, values);
  if (parsed.success) return { ok: true, value: parsed.data, values };
  const errors: Record<string, string> = {};
  for (const issue of parsed.error.issues) errors[issue.path.join(".")] ??= issue.message;
  return { ok: false, refusal: refuse(status, errors, values) };
}

/** What a library would say of a field is not for people, so it says what they can do instead. */
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

type Attempt<Value> = { ok: true; value: Value } | { ok: false; refusal: Refusal; message: string };

/**
 * Runs a command for a form. An error that the person caused becomes a refusal with its message (of
 * the form as a whole unless it names fields). Any other error is logged, and answered with the
 * `fallback` text so that nothing typed is lost.
 */
export async function attempt<Value>(
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
      const errors = error instanceof Invalid ? { ...error.fields } : { "": error.message };
      return {
        ok: false,
        refusal: refuse(error.init.status, errors, values),
        message: error.message,
      };
    }
    const request = context.get(requestFacts).id;
    const { log } = context.get(appContext);
    const isAway = error instanceof Unavailable;
    if (isAway) log.warn({ why: error.why, request }, "database unavailable");
    else log.error({ err: error, request }, "unexpected");
    const refusal = refuse(isAway ? 503 : 500, { "": fallback }, values);
    return { ok: false, refusal, message: fallback };
  }
}

/** The answer to a form that is refused. */
export function refuse(
  status: number,
  errors: Record<string, string>,
  values: Record<string, string> = {},
) {
  const shown = Object.entries(values).filter(([name]) => !/password/i.test(name));
  const problems: FormProblems = { errors, values: Object.fromEntries(shown) };
  return data(problems, { status });
}

/** Without the zero character, which no keyboard types and PostgreSQL refuses in a text. */
function textFields(form: FormData): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value === "string") fields[name] = value.replaceAll("\u0000", "");
  }
  return fields;
}

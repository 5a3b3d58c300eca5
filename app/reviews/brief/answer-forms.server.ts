import { redirect } from "react-router";
import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { failure, formIntent, type Sent } from "../../platform/forms.server.ts";
import { answerQuestion } from "./answers.server.ts";
import { readBrief } from "./brief.server.ts";
import { briefMessages } from "./rules.ts";

const schema = z.object({ position: z.coerce.number(), answer: z.string(), seen: z.string() });

function run({ context, params: { reviewId = "" }, value }: Sent<z.output<typeof schema>>) {
  const { db } = context.get(appContext);
  return answerQuestion(db, context.get(currentActor), { reviewId, ...value });
}

/** The form of an answer: `plain` for the workspace itself, `data` for scripts while it stays. */
export const answerForm = {
  plain: formIntent({
    schema,
    run,
    done: (_, { url }) => ({
      toast: { kind: "success", title: "Answer saved" },
      data: redirect(`${url.pathname}#brief`),
    }),
    failed({ message, refusal }) {
      // Who is told that it was changed sees what it is now, and goes on from there.
      if (message === briefMessages.answerChanged) delete refusal.data.values.seen;
      return { toast: failure("Failed to save the answer", message), data: refusal };
    },
  }),
  data: formIntent({
    schema,
    run,
    done: () => ({ data: Response.json({ result: null }) }),
    async failed({ message, refusal }, sent) {
      const { errors } = refusal.data;
      const status = refusal.init?.status ?? 500;
      const body = { message, errors, current: await asItIs(message, sent) };
      return { data: Response.json(body, { status }) };
    },
    fallback: "Please try again in a moment.",
  }),
};

/** Who is told that an answer was changed may see it: they write the same review. */
async function asItIs(
  message: string,
  { context, params: { reviewId = "" }, value }: Sent<z.output<typeof schema>>,
): Promise<string | undefined> {
  if (message !== briefMessages.answerChanged) return undefined;
  const brief = await readBrief(context.get(appContext).db, reviewId);
  return brief?.questions.find(({ position }) => position === value.position)?.answer ?? "";
}

import { z } from "zod";
import { createFormIntent, showReasonAboveForm } from "../../platform/forms.server.ts";
import { getOwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { getChangeContext } from "../remarks/remark-changes.server.ts";
import { parseArea, parseTarget } from "../rules.ts";
import { saveOutcome } from "./outcomes.server.ts";

/** The schema of an outcome's change, for an endpoint's union of changes. */
export const outcomeChange = z.object({
  intent: z.literal("save-outcome"),
  remarkId: z.string(),
  outcome: z.string().default(""),
  note: z.string(),
  target: z.string().transform(parseTarget),
  area: z.string().transform(parseArea),
  base: z.coerce.number(),
});

/** The form of an outcome, for browsers without scripts. Its place is a field of both, such as "resume-1 0.1,0.2,0.5,0.1". */
export const outcomeForm = createFormIntent({
  schema: outcomeChange.omit({ target: true, area: true }).extend({
    place: z.string().transform((field) => {
      const [target = "", area = ""] = field.split(" ");
      return { target: parseTarget(target), area: parseArea(area) };
    }),
  }),
  run(form) {
    const { db, actor, reviewId } = getChangeContext(form);
    const { place, ...value } = form.value;
    return saveOutcome(db, actor, { reviewId, ...value, ...place });
  },
  done: (_, { url: { pathname } }) => ({
    toast: { kind: "success", title: "Outcome saved" },
    data: redirect(`${getOwnPath({ pathname })}#earlier`),
  }),
  failed(problem) {
    // The form then shows the changed outcome, and the next submission starts from it.
    if (problem.code === "changed") delete problem.refusal.data.values.base;
    return showReasonAboveForm("Failed to save the outcome")(problem);
  },
});

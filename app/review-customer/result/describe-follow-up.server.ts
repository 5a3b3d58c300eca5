import type { OwnFollowUp } from "../../annotations/follow-up/questions.server.ts";

/** Describes the question after a review for its result, with the label of the link to it. */
export function describeFollowUp(followUp: OwnFollowUp) {
  const title = "Your question";
  switch (followUp.state) {
    case "askable":
      return {
        title: "Ask your reviewer one question",
        text: `You can ask until ${followUp.until} (Indian time).`,
        label: followUp.draft.text ? "Continue your question" : "Ask a question",
      };
    case "ended":
      return {
        title,
        text: `You could ask until ${followUp.until}. Your draft wasn't sent.`,
        label: "Read your draft",
      };
    case "answered":
      return {
        title,
        text: `Your reviewer answered on ${followUp.answer.on}.`,
        label: "Read the answer",
      };
    default:
      return { title, text: describeWaiting(followUp), label: "Read your question" };
  }
}

/** Describes a question that has no answer. */
export function describeWaiting({
  state,
  due,
  isLate,
}: Extract<OwnFollowUp, { state: "asked" | "refunded" }>): string {
  if (state === "refunded") return "This review was refunded, so the question isn't answered.";
  return isLate
    ? `The answer was due on ${due} (Indian time). We're sorry it's late. Our team knows about it.`
    : `Your reviewer answers by ${due} (Indian time). We'll email you.`;
}

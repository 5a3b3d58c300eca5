import type { Brief } from "../../app/reviews/brief.ts";
import { type ServiceType, serviceTypes } from "../../app/reviews/rules.ts";

/** One review of the demonstration: who bought it and who did it, when, and what came of it. */
export type Plan = {
  buyer: string;
  type: ServiceType;
  daysAgo: number;
  reviewer?: "meera" | "kabir";
  assignedDaysAgo?: number;
  completedDaysAgo?: number;
  /** A later date that an admin has set, from now; null for one from before there were due dates. */
  dueInDays?: number | null;
  /** Questions with their answers, as far as there are some. */
  brief?: Omit<Brief, "questions"> & { questions: [question: string, answer?: string][] };
  rating?: { rating: number; words: string | null };
  /** A refund that was asked for a while after the delivery, and declined. */
  declined?: { reason: string; answer: string };
};

/** Reviews of the people that a visitor can act as. */
export const told: Plan[] = [
  {
    buyer: "asha",
    type: "combined_review",
    daysAgo: 21,
    reviewer: "meera",
    assignedDaysAgo: 20.8,
    completedDaysAgo: 20.2,
    brief: {
      role: "Senior product designer in fintech",
      company: null,
      years: 6,
      questions: [
        [
          "Is my resume too long at two pages?",
          "No: with six years behind you two pages are fine. What costs you is the order on them.",
        ],
        [
          "Which project should come first in the portfolio?",
          "The checkout. It is the only one with a number, and the closest to what you aim at.",
        ],
        ["Does the coursework still help?"],
      ],
    },
    rating: {
      rating: 5,
      words: "I changed the order in an evening, and had two calls within a week.",
    },
  },
  {
    buyer: "asha",
    type: "resume_review",
    daysAgo: 1.8,
    reviewer: "meera",
    assignedDaysAgo: 1.5,
    brief: {
      role: "Product Designer",
      company: "Chai & Pixels",
      years: 6,
      questions: [
        ["Do I undersell the research I did?"],
        ["Would you drop the summary at the top?"],
      ],
    },
  },
  { buyer: "asha", type: "portfolio_review", daysAgo: 0.2 },
  {
    buyer: "sonia",
    type: "portfolio_review",
    daysAgo: 9,
    reviewer: "kabir",
    assignedDaysAgo: 8.5,
    completedDaysAgo: 7.6,
    brief: {
      role: "Motion designer",
      company: null,
      years: 2,
      questions: [
        ["Are three projects enough?", "Yes, if the second one says what was yours in it."],
      ],
    },
    declined: {
      reason: "I had hoped for a new portfolio, not for remarks on mine.",
      answer:
        "A review says what to change, and every remark of yours does. The changes themselves stay in your hands.",
    },
  },
];

/** Under way, by how long ago they were bought: due soon, moved, overdue, and two without a date. */
const underWay: Pick<Plan, "daysAgo" | "dueInDays">[] = [
  { daysAgo: 0.4 },
  { daysAgo: 0.7 },
  { daysAgo: 0.95 },
  { daysAgo: 2.3, dueInDays: 0.5 },
  { daysAgo: 1.6 },
  { daysAgo: 1.1 },
  { daysAgo: 6, dueInDays: null },
  { daysAgo: 8, dueInDays: null },
];

/** Reviews of all other customers: the oldest are completed, later ones under way, the newest waiting. */
export const crowdPlans: Plan[] = Array.from({ length: 36 }, (_, turn) => {
  const buyer = `customer${turn < 26 ? turn : turn - 9}`;
  const type = serviceTypes[turn % serviceTypes.length]!;
  const reviewer = turn % 2 === 0 ? "meera" : "kabir";
  if (turn < 9) return { buyer, type, daysAgo: turn * 0.1 + 0.05 };
  if (turn < 17) {
    const bought = underWay[turn - 9]!;
    return { buyer, type, reviewer, assignedDaysAgo: bought.daysAgo * 0.9, ...bought };
  }
  return {
    buyer,
    type,
    daysAgo: turn * 2,
    reviewer,
    assignedDaysAgo: turn * 2 - 0.2,
    completedDaysAgo: turn * 2 - 0.35 - (turn % 5) * 0.2,
    rating: turn % 3 === 0 ? undefined : { rating: 3 + (turn % 3), words: null },
  };
});

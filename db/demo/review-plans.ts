import type { Brief } from "../../app/reviews/brief.ts";
import type { Wish } from "../../app/reviews/fields-and-languages.ts";
import { type ServiceType, serviceTypes } from "../../app/reviews/rules.ts";

/** One demo review: its buyer, reviewer, dates and result. */
export type Plan = {
  buyer: string;
  type: ServiceType;
  daysAgo: number;
  reviewer?: "meera" | "kabir";
  assignedDaysAgo?: number;
  completedDaysAgo?: number;
  /** The reviewer has pinned the remarks, and hasn't submitted. */
  hasRemarks?: true;
  /** A due date that an admin has extended, in days from now; null for a review without a due date. */
  dueInDays?: number | null;
  /** Questions, with their answers if there are any. */
  brief?: Omit<Brief, "questions"> & { questions: [question: string, answer?: string][] };
  /** A completed second look at the buyer's first review of this type, with its feedback. */
  secondLook?: { feedback: string };
  rating?: { rating: number; words: string | null };
  /** The question after the review, about its first remark. */
  followUp?: {
    question: string;
    askedDaysAgo: number;
    answer?: { text: string; daysAgo: number };
  };
  /** A refund that was requested after the delivery and declined. */
  declined?: { reason: string; answer: string };
};

/** Reviews of the people that a visitor can act as. */
export const mainPlans: Plan[] = [
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
          "No. With six years of experience, two pages are fine. The problem is their order.",
        ],
        [
          "Which project should come first in the portfolio?",
          "The checkout. It's the only one with a number, and the closest to the role you want.",
        ],
        ["Does the coursework still help?"],
      ],
    },
    rating: {
      rating: 5,
      words: "I changed the order in one evening and had two calls within a week.",
    },
    followUp: {
      question:
        "If I move the checkout to the front, does the onboarding project still need its own page?",
      askedDaysAgo: 19.4,
      answer: {
        text: "Keep it, but shorter: one screen and the result. It shows that you can do more than checkouts.",
        daysAgo: 18.9,
      },
    },
  },
  {
    buyer: "asha",
    type: "combined_review",
    daysAgo: 6.5,
    reviewer: "meera",
    assignedDaysAgo: 6.2,
    completedDaysAgo: 5.1,
    secondLook: {
      feedback:
        "Much better. Your lines now say what came of the work, and I know your part in most of it. What's left is small: the projects still start on page two, the coursework is still there, and one case study still hides what you did.",
    },
  },
  {
    buyer: "asha",
    type: "resume_review",
    daysAgo: 1.8,
    reviewer: "meera",
    assignedDaysAgo: 1.5,
    hasRemarks: true,
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
  {
    buyer: "asha",
    type: "portfolio_review",
    daysAgo: 0.2,
    brief: {
      role: "Product Designer",
      company: null,
      years: 6,
      questions: [],
      wish: { field: "research", language: "Hindi" },
    },
  },
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
      questions: [["Are three projects enough?", "Yes, if the second one explains what you did."]],
    },
    followUp: {
      question:
        "You say that the second project should explain my part. Is a caption enough, or does it need a page?",
      askedDaysAgo: 1.2,
    },
    declined: {
      reason: "I had hoped for a new portfolio, not remarks on mine.",
      answer:
        "A review explains what to change, and every remark in yours does. Making the changes is up to you.",
    },
  },
];

/** Reviews in progress: due soon, extended, overdue, and two without a due date. */
const inProgress: Pick<Plan, "daysAgo" | "dueInDays">[] = [
  { daysAgo: 0.4 },
  { daysAgo: 0.7 },
  { daysAgo: 0.95 },
  { daysAgo: 2.3, dueInDays: 0.5 },
  { daysAgo: 1.6 },
  { daysAgo: 1.1 },
  { daysAgo: 6, dueInDays: null },
  { daysAgo: 8, dueInDays: null },
];

/** The wishes of a few other customers, by the number of their review. */
const wishes: Record<number, Wish> = {
  1: { field: "motion", language: "Tamil" },
  4: { field: null, language: "Telugu" },
  10: { field: "brand", language: null },
  13: { field: "ux", language: "Tamil" },
};

function planWish(index: number): Plan["brief"] {
  const wish = wishes[index];
  return wish && { role: null, company: null, years: null, questions: [], wish };
}

/** Reviews of the other customers: the oldest are completed, newer ones in progress, the newest pending. */
export const crowdPlans: Plan[] = Array.from({ length: 36 }, (_, index) => {
  const buyer = `customer${index < 26 ? index : index - 9}`;
  const type = serviceTypes[index % serviceTypes.length]!;
  const reviewer = index % 2 === 0 ? "meera" : "kabir";
  const brief = planWish(index);
  if (index < 9) return { buyer, type, daysAgo: index * 0.1 + 0.05, brief };
  if (index < 17) {
    const bought = inProgress[index - 9]!;
    return { buyer, type, reviewer, assignedDaysAgo: bought.daysAgo * 0.9, brief, ...bought };
  }
  return {
    buyer,
    type,
    daysAgo: index * 2,
    reviewer,
    assignedDaysAgo: index * 2 - 0.2,
    completedDaysAgo: index * 2 - 0.35 - (index % 5) * 0.2,
    rating: index % 3 === 0 ? undefined : { rating: 3 + (index % 3), words: null },
  };
});

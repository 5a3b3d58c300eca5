/** The outcomes of the example's second look. Each marked element of a revised page shows the remark of its id. */
import type { Outcome } from "../../annotations/second-look/outcomes.ts";
import type { Scores } from "../../reviews/rubric.ts";

type ExampleOutcome = {
  /** The id of the earlier remark. */
  id: string;
  outcome: Outcome;
  note?: string;
  /** The revised page, for an outcome about all of it. */
  wholePage?: string;
};

/** One for each remark that asks for a change. */
export const exampleOutcomes: ExampleOutcome[] = [
  {
    id: "columns",
    outcome: "solved",
    note: "One column, read from top to bottom. Software now finds your current job in the first third.",
    wholePage: "revised-resume-1",
  },
  {
    id: "objective",
    outcome: "solved",
    note: "In your own words, and better than mine: it promises proof, and the first job gives it.",
  },
  { id: "contacts", outcome: "solved" },
  {
    id: "skill-bars",
    outcome: "partly",
    note: "The bars are gone, and the line about Figma says something. “Advanced” and “strong” are the old 80% and 85% in words. Replace them with one thing you did.",
  },
  { id: "present-job", outcome: "solved" },
  {
    id: "responsible",
    outcome: "solved",
    note: "This line alone will get you interviews.",
  },
  { id: "tools", outcome: "solved" },
  {
    id: "school",
    outcome: "solved",
    note: "Without them, everything fits on one page, as you hoped.",
  },
  { id: "personal", outcome: "solved" },
  { id: "declaration", outcome: "solved" },
  { id: "passionate", outcome: "solved" },
  { id: "unasked", outcome: "solved" },
  {
    id: "we",
    outcome: "partly",
    note: "Your part is clear now. “The team” is still everyone and no one: name the two people, and your own claim becomes easier to believe.",
  },
  {
    id: "double-diamond",
    outcome: "solved",
    note: "The page is gone, and I don't miss it.",
  },
  {
    id: "problem",
    outcome: "solved",
    note: "I knew what the case is about before I saw a screen.",
  },
  {
    id: "cut-off",
    outcome: "open",
    note: "Nothing shows 22:05 yet. It was an idea, so it can wait, but have an answer ready for the interview.",
  },
  {
    id: "annotation",
    outcome: "partly",
    note: "The colour is right: from 2 to 1 to about 9 to 1. The size is the same, so on a laptop I still had to zoom in.",
  },
  {
    id: "churn",
    outcome: "solved",
    note: "A number with its base and its source. Leaving the 35% out was the right choice.",
  },
  { id: "amazing", outcome: "solved" },
  {
    id: "intersection",
    outcome: "open",
    note: "Resume and portfolio now say what you do. Your site still doesn't. Copy the line from your cover.",
  },
  { id: "coming-soon", outcome: "solved", note: "The card is gone from your site." },
  {
    id: "password",
    outcome: "open",
    note: "It still asked me for a password. Your resume leads here now, so more people will turn back at it. Do this first.",
  },
];

/** The scores of the revised version. */
export const revisedScores: Scores = {
  first_impression: 4,
  story: 4,
  impact: 4,
  layout: 4,
  fit: 4,
  machine_reading: 5,
  choice_of_work: 4,
  case_studies: 4,
  reasoning: 3,
  visual_craft: 4,
  own_part: 3,
  way_through: 2,
};

/** The demo reviewers' remarks, by the names of their elements in the sources. */
import type { Remark } from "../../app/annotations/rules.ts";
import type { Scores } from "../../app/reviews/rubric.ts";
import type { ServiceType } from "../../app/reviews/rules.ts";

export type DemoRemark = Pick<Remark, "severity" | "criterion" | "text"> & {
  /** The page or screenshot of the remark. */
  on: `resume-${number}` | `portfolio-${number}` | "screenshot";
  at: string;
  quote?: string;
  suggestion?: string;
  /** The rank among the three things to fix first, by type of review. */
  rank?: Partial<Record<ServiceType, 1 | 2 | 3>>;
  /** True if the customer has marked it as done. */
  isDone?: boolean;
};

const resumeRemarks: DemoRemark[] = [
  {
    on: "resume-1",
    at: "title",
    severity: "idea",
    criterion: "first_impression",
    text: "Your profession is clear right away, but your level isn't. Add a few words: how long you've worked, and in which field.",
    quote: "Product designer, Jaipur",
    suggestion: "Product designer for health and public services, Jaipur",
  },
  {
    on: "resume-1",
    at: "contact",
    severity: "keep",
    criterion: "machine_reading",
    text: "Both are real text, at the top, and clickable. Software and people can find you easily.",
  },
  {
    on: "resume-1",
    at: "profile",
    severity: "must",
    criterion: "first_impression",
    text: "This sentence could describe any designer. Say who you design for and name one result. The cover of your portfolio already does the first half.",
    quote:
      "Creative and detail-oriented designer with a passion for solving complex problems and creating meaningful, user-centred experiences.",
    suggestion:
      "I design services for people who have one visit and one phone. My renewal of ration cards went from nine steps to four.",
    rank: { resume_review: 2, combined_review: 2 },
    isDone: true,
  },
  {
    on: "resume-1",
    at: "onboarding",
    severity: "must",
    criterion: "impact",
    text: "This says what you did, not what changed. At which step did people drop out? How many then, and how many now? If no one counted, describe what you saw: fewer calls, or a question that no longer comes up.",
    quote: "Redesigned the onboarding of the clinic app.",
    suggestion:
      "Redesigned the onboarding of the clinic app: [one screen] instead of [four], and [number] of ten clinics finish it on the first day.",
    rank: { resume_review: 3, combined_review: 3 },
  },
  {
    on: "resume-1",
    at: "system",
    severity: "keep",
    criterion: "impact",
    text: "Who you worked with, how much you made, and that it's in use: this is the one line here that can be verified. Write all the others like it.",
  },
  {
    on: "resume-1",
    at: "receipts",
    severity: "should",
    criterion: "impact",
    text: "“Worked on” could mean that you drew one icon or led the project. For two years of work, state your role and a result.",
    quote: "Worked on receipt and refund screens.",
    suggestion: "Designed the refund from request to receipt, four screens, alone.",
  },
  {
    on: "resume-1",
    at: "coursework",
    severity: "should",
    criterion: "fit",
    text: "Three lines of courses take the space of your best project. After two jobs, no one hires for coursework. Keep the degree and cut the list.",
    isDone: true,
  },
  {
    on: "resume-2",
    at: "ration",
    severity: "must",
    criterion: "story",
    text: "Your strongest project starts on page two, where a reader in a hurry never gets. Move the projects above your education. I did that in the attached file, and nothing else had to be cut.",
    quote: "Cut the steps of a renewal from nine to four",
    rank: { resume_review: 1, combined_review: 1 },
  },
  {
    on: "resume-2",
    at: "seed",
    severity: "idea",
    criterion: "story",
    text: "A shared phone is a difficult and unusual constraint. Half a sentence on how you solved it would make people curious.",
    suggestion:
      "A catalogue for a village seed bank on one shared phone: people choose their face instead of logging in.",
  },
  {
    on: "resume-2",
    at: "meters",
    severity: "should",
    criterion: "layout",
    text: "90% of what? Bars look like measurements but aren't. This one says you're weak at accessibility, and your projects show the opposite. List what you do instead.",
    suggestion: "Interviews in Hindi and Rajasthani; prototypes in code; screens tested by ear",
  },
  {
    on: "resume-2",
    at: "interests",
    severity: "idea",
    criterion: "fit",
    text: "Everyone likes these things, so they say nothing about you. Name one specific interest, or leave this out. The grey is also too light to print.",
    quote: "Travelling, reading, music, watching films, and meeting new people.",
  },
  {
    on: "screenshot",
    at: "ration",
    severity: "should",
    criterion: "story",
    text: "The framed project belongs on the first page, under your name. Reading it aloud takes eight seconds, which is about as long as a reader gives you.",
  },
];

const portfolioRemarks: DemoRemark[] = [
  {
    on: "portfolio-1",
    at: "cover",
    severity: "keep",
    criterion: "choice_of_work",
    text: "One sentence, and I know who you design for. Few portfolios open this well. Put it on your resume too.",
  },
  {
    on: "portfolio-1",
    at: "contents",
    severity: "must",
    criterion: "way_through",
    text: "The contents list four projects, but the file has three: the icons are missing. A reader will look for them and doubt the rest. Add the page or remove the line.",
    quote: "Icons, 2022 to 2024",
    rank: { portfolio_review: 1 },
    isDone: true,
  },
  {
    on: "portfolio-2",
    at: "problem",
    severity: "keep",
    criterion: "case_studies",
    text: "A problem anyone can understand, in one sentence, before any screen. Don't change it.",
  },
  {
    on: "portfolio-2",
    at: "we",
    severity: "must",
    criterion: "own_part",
    text: "Every case study says this, and it hides your role. Who is “we”, and what did you do? Describe one decision instead, and the arguments against it.",
    quote:
      "We conducted research, ideated, and iterated on several solutions together with stakeholders.",
    suggestion:
      "I sat at the counter for a week. People had the papers at home, so I moved the list of papers to the SMS before the visit.",
    rank: { portfolio_review: 2 },
  },
  {
    on: "portfolio-2",
    at: "flow",
    severity: "should",
    criterion: "reasoning",
    text: "Nine boxes become four, but what were the nine? Label them and cross out the five you removed. Then readers can follow your thinking.",
  },
  {
    on: "portfolio-2",
    at: "figure",
    severity: "keep",
    criterion: "case_studies",
    text: "The number is large, shows before and after, and has its source below. That makes the result credible.",
  },
  {
    on: "portfolio-2",
    at: "small",
    severity: "should",
    criterion: "visual_craft",
    text: "This is the evidence for the number, in the lightest grey of the page. Its contrast is below 3:1. Use the text colour.",
    quote: "Pilot of six weeks, two districts, 412 renewals; counted at the counter by the clerks.",
    isDone: true,
  },
  {
    on: "portfolio-3",
    at: "board",
    severity: "keep",
    criterion: "visual_craft",
    text: "Both scripts have equal weight, and the minutes are where the eye ends up. I'd hire you for this page alone.",
  },
  {
    on: "portfolio-3",
    at: "role",
    severity: "must",
    criterion: "own_part",
    text: "With two others: what did they do, and what did you do? Without that, a careful reader credits you with a third of it.",
    quote: "A project of the institute, with two others.",
    suggestion: "With two others: I drew the Latin and ran the tests at the stop.",
    rank: { portfolio_review: 3 },
  },
  {
    on: "portfolio-4",
    at: "shared",
    severity: "keep",
    criterion: "reasoning",
    text: "A constraint, and the decision that follows from it. Add two sentences like this to the other case studies, and they'll be just as strong.",
  },
  {
    on: "portfolio-4",
    at: "grey",
    severity: "should",
    criterion: "visual_craft",
    text: "Light grey looks disabled, and it's hard to see in the sun, where this phone is used. The fourth face is a person like the others.",
    quote: "Somebody else",
  },
  {
    on: "portfolio-4",
    at: "ending",
    severity: "should",
    criterion: "way_through",
    text: "This is where a reader decides to contact you, but there's no address. Thanks are kind, but a link is useful.",
    quote: "Thank you for your time!",
    suggestion: "asha@example.com · portfolio.example.com/case-studies",
  },
];

const resumeScores: Scores = {
  first_impression: 3,
  story: 2,
  impact: 2,
  layout: 4,
  fit: 3,
  machine_reading: 5,
};

const portfolioScores: Scores = {
  choice_of_work: 4,
  case_studies: 3,
  reasoning: 3,
  visual_craft: 4,
  own_part: 1,
  way_through: 2,
};

/** The results of completed reviews, by type. */
export const demoResults: Record<
  ServiceType,
  { feedback: string; scores: Scores; remarks: DemoRemark[] }
> = {
  resume_review: {
    feedback: `A clear, honest resume that's easy to read. Three changes would improve it.

The best part is on page two: the ration card, with a solid number. Move the projects up and cut the coursework to one line.

Your lines say what you did. Only the one about the design system says what came of it. Write the others like that.

And the first sentence could describe anyone. The one on your portfolio's cover is really yours, so use it here.`,
    scores: resumeScores,
    remarks: resumeRemarks,
  },
  portfolio_review: {
    feedback: `Three projects, each with a clear purpose, and a sense of typography that I'd hire for. I wrote this on a Sunday because of the bus board alone.

What's missing is you. “We” and “with two others” leave me guessing what you did. One sentence per project fixes that.

The small grey text on each page makes the work credible: where it was tested, with how many people, and who counted. Make it as large as the rest.

The last page ends with thanks but no contact details.`,
    scores: portfolioScores,
    remarks: portfolioRemarks,
  },
  combined_review: {
    feedback: `Your portfolio is stronger than your resume. Its cover tells me who you design for. The resume starts with a sentence that could describe anyone, and leaves the ration card for page two.

So start there: move the projects up and the coursework down, and open with the sentence from your cover. The attached file already has the new order. The wording is up to you.

One thing is missing throughout the portfolio: your role. “We conducted research” could be anyone. You sat at that counter, so say so.

You don't need to make anything new: one evening for the resume, and another for five sentences in the portfolio.`,
    scores: { ...resumeScores, ...portfolioScores },
    remarks: [...resumeRemarks, ...portfolioRemarks],
  },
};

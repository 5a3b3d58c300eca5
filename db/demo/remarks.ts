/** The remarks of the demonstration's reviewers, by the names of their places in the sources. */
import type { Remark } from "../../app/annotations/rules.ts";
import type { Scores } from "../../app/reviews/rubric.ts";
import type { ServiceType } from "../../app/reviews/rules.ts";

export type DemoRemark = Pick<Remark, "severity" | "criterion" | "text"> & {
  /** The page or the screenshot that it is on. */
  on: `resume-${number}` | `portfolio-${number}` | "screenshot";
  at: string;
  quote?: string;
  suggestion?: string;
  /** The rank among the first things to do, by kind of review. */
  rank?: Partial<Record<ServiceType, 1 | 2 | 3>>;
  /** The customer has ticked it off. */
  isDone?: boolean;
};

const resumeRemarks: DemoRemark[] = [
  {
    on: "resume-1",
    at: "title",
    severity: "idea",
    criterion: "first_impression",
    text: "The trade is clear at once; the level is not. Two words more would place you: how long, and in what.",
    quote: "Product designer, Jaipur",
    suggestion: "Product designer for health and public services, Jaipur",
  },
  {
    on: "resume-1",
    at: "contact",
    severity: "keep",
    criterion: "machine_reading",
    text: "Both are text, at the top, and lead somewhere. Software and people find you without looking.",
  },
  {
    on: "resume-1",
    at: "profile",
    severity: "must",
    criterion: "first_impression",
    text: "This sentence fits every designer, so it introduces none. Say for whom you design and name one thing that came of it; the cover of your portfolio already does the first half.",
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
    text: "It says what you did, not what changed. Which step did people leave at, how many, and how many do now? If nobody counted, say what you saw: the calls that stopped, the question that no longer comes.",
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
    text: "With whom, how much, and that it is in use: the one line here that could be checked. It is the pattern for all the others.",
  },
  {
    on: "resume-1",
    at: "receipts",
    severity: "should",
    criterion: "impact",
    text: "“Worked on” leaves open whether you drew one icon or led it. Two years deserve your own part and a result.",
    quote: "Worked on receipt and refund screens.",
    suggestion: "Designed the refund from request to receipt, four screens, alone.",
  },
  {
    on: "resume-1",
    at: "coursework",
    severity: "should",
    criterion: "fit",
    text: "Three lines of courses stand where your best project should. After two jobs nobody hires by coursework: keep the degree, cut the list.",
    isDone: true,
  },
  {
    on: "resume-2",
    at: "ration",
    severity: "must",
    criterion: "story",
    text: "The strongest thing you have made starts on page two, where a hurried reader never gets. Move the projects up, before the school; in the file that I attached they stand there, and nothing else had to go.",
    quote: "Cut the steps of a renewal from nine to four",
    rank: { resume_review: 1, combined_review: 1 },
  },
  {
    on: "resume-2",
    at: "seed",
    severity: "idea",
    criterion: "story",
    text: "A shared phone is a hard and unusual limit. Half a sentence on what you did about it would make people ask.",
    suggestion:
      "A catalogue for a village seed bank on one shared phone: nobody signs in, a face is enough.",
  },
  {
    on: "resume-2",
    at: "meters",
    severity: "should",
    criterion: "layout",
    text: "90% of what? Bars look like measurements and are none, and this one says that you are weak at accessibility, which your projects deny. Name what you do instead.",
    suggestion: "Interviews in Hindi and Rajasthani; prototypes in code; screens tested by ear",
  },
  {
    on: "resume-2",
    at: "interests",
    severity: "idea",
    criterion: "fit",
    text: "What everybody likes tells nothing. One real thing, or leave it out; the grey is also too faint to print.",
    quote: "Travelling, reading, music, watching films, and meeting new people.",
  },
  {
    on: "screenshot",
    at: "ration",
    severity: "should",
    criterion: "story",
    text: "Framed here is what should stand on the first page, under your name. Read it aloud: it takes eight seconds, and that is about what you get.",
  },
];

const portfolioRemarks: DemoRemark[] = [
  {
    on: "portfolio-1",
    at: "cover",
    severity: "keep",
    criterion: "choice_of_work",
    text: "One sentence, and I know whom you design for. Hardly any portfolio opens like that; put it on the resume as well.",
  },
  {
    on: "portfolio-1",
    at: "contents",
    severity: "must",
    criterion: "way_through",
    text: "Four projects are promised and three are in the file: the icons are missing. The reader looks for them and doubts the rest. Add the page or take the line away.",
    quote: "Icons, 2022 to 2024",
    rank: { portfolio_review: 1 },
    isDone: true,
  },
  {
    on: "portfolio-2",
    at: "problem",
    severity: "keep",
    criterion: "case_studies",
    text: "A problem that anybody understands, in one sentence, before any screen. Do not touch it.",
  },
  {
    on: "portfolio-2",
    at: "we",
    severity: "must",
    criterion: "own_part",
    text: "This stands in every case study there is, and it hides you: who is “we”, and which of it was yours? Write one decision instead, and what spoke against it.",
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
    text: "Nine boxes become four, but what were the nine? Name them, and strike through the five that went: then one sees you think.",
  },
  {
    on: "portfolio-2",
    at: "figure",
    severity: "keep",
    criterion: "case_studies",
    text: "The number is large, says from what to what, and its base stands below. This is how a result looks that one believes.",
  },
  {
    on: "portfolio-2",
    at: "small",
    severity: "should",
    criterion: "visual_craft",
    text: "Here is what makes the number true, in the palest grey of the page: its contrast is below 3 to 1. Give it the colour of the text.",
    quote: "Pilot of six weeks, two districts, 412 renewals; counted at the counter by the clerks.",
    isDone: true,
  },
  {
    on: "portfolio-3",
    at: "board",
    severity: "keep",
    criterion: "visual_craft",
    text: "Both scripts carry the same weight, and the minutes stand where the eye ends. I would hire for this page alone.",
  },
  {
    on: "portfolio-3",
    at: "role",
    severity: "must",
    criterion: "own_part",
    text: "With two others: what did they do, and what did you? Without that a careful reader counts a third of it as yours.",
    quote: "A project of the institute, with two others.",
    suggestion: "With two others: I drew the Latin and ran the tests at the stop.",
    rank: { portfolio_review: 3 },
  },
  {
    on: "portfolio-4",
    at: "shared",
    severity: "keep",
    criterion: "reasoning",
    text: "A limit, and the decision that follows from it. Two more sentences like this one in the other cases, and they would be as strong.",
  },
  {
    on: "portfolio-4",
    at: "grey",
    severity: "should",
    criterion: "visual_craft",
    text: "Pale grey reads as switched off, and it is hardly seen in the sun, where this phone is used. The fourth face is a person like the others.",
    quote: "Somebody else",
  },
  {
    on: "portfolio-4",
    at: "ending",
    severity: "should",
    criterion: "way_through",
    text: "This is where somebody decides to write to you, and there is no address. Thanks are kind; a link is useful.",
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

/** The results of a completed review, by kind. */
export const demoResults: Record<
  ServiceType,
  { feedback: string; scores: Scores; remarks: DemoRemark[] }
> = {
  resume_review: {
    feedback: `A clear, honest resume, and easy to read. Three things would lift it.

The best of it is on page two: the ration card, with a number that holds. Move the projects up and cut the coursework to one line.

Your lines say what you did, one of them says what came of it. Write the others like that one, about the design system.

And the first sentence fits everybody. The one on your portfolio's cover is yours; use it here.`,
    scores: resumeScores,
    remarks: resumeRemarks,
  },
  portfolio_review: {
    feedback: `Three projects, each with a reason to be there, and a sense of type that I would hire for. The bus board alone got me to write this on a Sunday.

What is missing is you. “We” and “with two others” leave me guessing what was yours. One sentence a project mends that.

The smallest grey on each page holds what makes the work believable: where it was tried, with how many, who counted. Bring that up to the size of the text.

The last page ends with thanks and without an address.`,
    scores: portfolioScores,
    remarks: portfolioRemarks,
  },
  combined_review: {
    feedback: `Your portfolio is ahead of your resume. On the cover of the one I read whom you design for; the other begins with a sentence that fits everybody, and keeps the ration card for page two.

So begin there: the projects up, the coursework down, and the line of the cover as your first sentence. In the file that I attached the order is done; the words are yours to write.

In the portfolio one thing is missing everywhere: your own part. “We conducted research” could be anybody. You sat at that counter; say so.

Nothing has to be made anew. An evening for the resume, another for five sentences in the portfolio.`,
    scores: { ...resumeScores, ...portfolioScores },
    remarks: [...resumeRemarks, ...portfolioRemarks],
  },
};

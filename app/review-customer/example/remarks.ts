/** The remarks of the example's reviewer, by the names of their places in the sources. */
import type { Remark } from "../../annotations/rules.ts";

export type ExampleRemark = Pick<Remark, "severity" | "criterion" | "text"> & {
  id: string;
  /** The page that it is on, by its id in the sources. */
  page: string;
  /** True for a remark about the entire page, which has no element of that name. */
  isWhole?: boolean;
  quote?: string;
  suggestion?: string;
  rank?: 1 | 2 | 3;
};

export const exampleRemarks: ExampleRemark[] = [
  {
    id: "columns",
    page: "resume-1",
    isWhole: true,
    severity: "should",
    criterion: "machine_reading",
    text: "The column on the left is read before the one on the right. What software takes from this page begins with “Contact, Skills, Figma 95%” and comes to your present job after 150 words. Set the page in one column, or let the skills follow the experience.",
  },
  {
    id: "objective",
    page: "resume-1",
    severity: "must",
    criterion: "first_impression",
    text: "The first sentence that is read about you could stand on anybody's resume, and it speaks of what you want to get. Say what you do, for whom, and what you are good at.",
    quote:
      "Seeking a challenging position in a reputed organisation where I can utilise my skills and grow with the company.",
    suggestion:
      "Product designer, six years, the last four in subscriptions. I make plans easy to pause, change and leave, and can show what that did for support and kitchens.",
  },
  {
    id: "contacts",
    page: "resume-1",
    severity: "must",
    criterion: "machine_reading",
    text: "Your phone number and both addresses are drawn as a picture: in the text of the file there is no way to reach you. Write them as text, and make the addresses links.",
  },
  {
    id: "skill-bars",
    page: "resume-1",
    severity: "should",
    criterion: "layout",
    text: "95% of what? Nobody can hold a bar against anything, and a careful reader asks which twentieth of Figma you lack. Name what you do with a tool instead.",
    quote: "Figma 95%",
    suggestion: "Figma: components with variables, prototypes for tests, a library of 140 parts",
  },
  {
    id: "sign-up",
    page: "resume-1",
    severity: "keep",
    criterion: "impact",
    text: "The best line of the resume: what you changed, by how much, in what time. It is the pattern for every other point on this page.",
    quote:
      "Cut the sign-up form from 14 fields to 5; completed sign-ups went from 38% to 61% in six weeks.",
  },
  {
    id: "present-job",
    page: "resume-1",
    severity: "must",
    criterion: "story",
    text: "Your internship of 2020 comes first and your present job last, below the middle of the page. Readers expect the newest on top and many stop there. Turn the order round, and give the internship one line.",
  },
  {
    id: "responsible",
    page: "resume-1",
    severity: "must",
    criterion: "impact",
    text: "“Responsible for” names a duty; what came of it is on page 7 of your portfolio, in the smallest type of the whole file. Bring it here. Support calls are a number that every team with subscriptions understands.",
    quote: "Responsible for designing the user interface of the subscription module.",
    suggestion:
      "Designed pausing in three taps. Calls about it fell from 310 to 90 a week within two months.",
    rank: 2,
  },
  {
    id: "tools",
    page: "resume-2",
    severity: "should",
    criterion: "fit",
    text: "Fifteen tools, two of which can no longer be bought. A long list hides the few that matter, and one question about Maya would be awkward. Keep what you would open tomorrow.",
    quote:
      "Figma, Sketch, Adobe XD, Photoshop, Illustrator, After Effects, Axure, Balsamiq, Zeplin, InVision, Principle, Miro, Maze, Maya, MS Office",
    suggestion: "Figma, Miro, Maze, Illustrator; After Effects for short motion studies",
  },
  {
    id: "school",
    page: "resume-2",
    severity: "idea",
    criterion: "story",
    text: "After six years of work nobody asks for school marks. Without these two the whole resume fits on one page, which answers your first question.",
  },
  {
    id: "lettering",
    page: "resume-2",
    severity: "keep",
    criterion: "first_impression",
    text: "This is what I told a colleague about after reading: you started something, kept it going for two years, and there is a printed thing at the end. Move it to the first page, with a link.",
    quote:
      "Founded a Sunday lettering class: 20 children, two years, one printed alphabet in Bengali and Santali.",
  },
  {
    id: "personal",
    page: "resume-2",
    severity: "must",
    criterion: "fit",
    text: "Leave all of this out, and the photograph too. No design team needs your date of birth, your father's name or your marital status to judge your work, and some have to discard what shows them.",
  },
  {
    id: "declaration",
    page: "resume-2",
    severity: "should",
    criterion: "layout",
    text: "Government forms need a declaration; a resume does not. With the signature and the empty date it looks like a form that was not finished.",
    quote:
      "I hereby declare that the above information is true to the best of my knowledge and belief.",
  },
  {
    id: "passionate",
    page: "portfolio-1",
    severity: "should",
    criterion: "own_part",
    text: "A cover this confident deserves a line that is yours. I have read this one on four portfolios this month, and it names nothing that you do.",
    quote: "Passionate UI/UX designer crafting delightful, user-centric digital experiences.",
    suggestion: "Product designer in Pune. I make subscriptions easy to pause, change and leave.",
  },
  {
    id: "unasked",
    page: "portfolio-2",
    severity: "must",
    criterion: "choice_of_work",
    text: "Half of the list is work that nobody asked for, set as large as the work that people use. A reader with three minutes may open the wrong one. Cut these three; 01, 02 and 06 are enough, and they show range.",
    rank: 3,
  },
  {
    id: "we",
    page: "portfolio-3",
    severity: "must",
    criterion: "own_part",
    text: "After eight pages I do not know which of this is yours. “We” and “cross-functional” leave room for anything from one icon to all of it. Write one sentence that only you could have written, and name who did the rest.",
    quote: "We redesigned the whole subscription experience from scratch.",
    suggestion:
      "I led the pause flow from the interviews to release. [Name] drew the visual system, [name] built it for Android.",
    rank: 1,
  },
  {
    id: "double-diamond",
    page: "portfolio-4",
    isWhole: true,
    severity: "should",
    criterion: "reasoning",
    text: "Five words that stand in every portfolio, and nothing that happened to you. Cut the page. If you want to show process, show the evening when the first idea failed: what you had drawn, who it failed with, what you changed.",
  },
  {
    id: "nagpur",
    page: "portfolio-5",
    severity: "keep",
    criterion: "reasoning",
    text: "One person, one city, one absurd bill: I understood the problem in a single breath. Set large, without decoration, it is also the best page to look at.",
    quote:
      "“I called four times to say I am in Nagpur till Sunday. The boxes came anyway, and I paid for them.”",
  },
  {
    id: "problem",
    page: "portfolio-5",
    severity: "should",
    criterion: "case_studies",
    text: "This is the problem of the whole case, and it comes on page 5, after the finished screens. Put it under the title on page 3: then every screen that follows is an answer to something.",
    quote: "Every week, 310 people phone us to skip a meal.",
  },
  {
    id: "calendar",
    page: "portfolio-6",
    severity: "keep",
    criterion: "visual_craft",
    text: "Struck through and tinted: a paused day is told twice, not by colour alone, and the line below says what it means for food and for money. Keep exactly this.",
  },
  {
    id: "cut-off",
    page: "portfolio-6",
    severity: "idea",
    criterion: "visual_craft",
    text: "What does this button do at 22:05, when the kitchen has bought for tomorrow? You found that limit in the interviews. One more screen with that state would show more of your thinking than the one with “Done”.",
  },
  {
    id: "annotation",
    page: "portfolio-6",
    severity: "should",
    criterion: "visual_craft",
    text: "Your notes have a contrast of 2 to 1 on this ground, and at the size of a laptop they are hardly there. They carry the decisions of the page: set them in the dark green, three points larger.",
    quote: "Money returns to the wallet the same evening",
  },
  {
    id: "churn",
    page: "portfolio-7",
    severity: "must",
    criterion: "case_studies",
    text: "35% of what, since when, and because of what? Churn has many causes, and the first engineer in the room will ask. You have a number that holds: give the calls this size, and the 35% a line below with its base, or none.",
    quote: "35% reduction in churn",
    suggestion: "From 310 calls a week to 90",
  },
  {
    id: "amazing",
    page: "portfolio-8",
    severity: "should",
    criterion: "way_through",
    text: "The last page is where somebody decides to write to you, and it has no address. Give it the whole page.",
    quote: "Let's create something amazing together",
    suggestion: "ira@example.in · irabanerjee.example.in · Pune, or remote",
  },
  {
    id: "intersection",
    page: "website-1",
    severity: "should",
    criterion: "own_part",
    text: "The largest words of your site say less than the small ones below them. Use the line of the cover, so that resume, portfolio and site introduce the same person.",
    quote: "Designing at the intersection of people, technology and delight.",
    suggestion: "I make subscriptions easy to pause, change and leave.",
  },
  {
    id: "coming-soon",
    page: "website-1",
    severity: "should",
    criterion: "choice_of_work",
    text: "A closed door in the best row of the page, for a case that you have numbers for. Write it in five sentences and one picture now, or take the card away until you have.",
    quote: "Coming soon",
  },
  {
    id: "password",
    page: "website-2",
    severity: "must",
    criterion: "way_through",
    text: "Nobody who hires asks for a password; they close the tab. And the same case lies open in your PDF. If something in it is confidential, leave that out and open the rest.",
    quote: "This case study is protected. Please enter the password to view it.",
  },
];

/** The remarks of the example's reviewer. Their ids are the names of the marked elements in the sources. */
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

/** The page whose upper half other pages show, and the remark of it that they show in full. */
export const croppedPage = "resume-1";
export const chosenId = "objective";
/** Another remark of it, which the home page shows with its text before and after. */
export const changedId = "skill-bars";

export const exampleRemarks: ExampleRemark[] = [
  {
    id: "columns",
    page: "resume-1",
    isWhole: true,
    severity: "should",
    criterion: "machine_reading",
    text: "Software reads the left column before the right one. It gets “Contact, Skills, Figma 95%” first and reaches your current job after 150 words. Use one column, or put the skills after the experience.",
  },
  {
    id: "objective",
    page: "resume-1",
    severity: "must",
    criterion: "first_impression",
    text: "Your first sentence could be on anyone's resume, and it's about what you want to get. Say what you do, for whom, and what you're good at.",
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
    text: "Your phone number and both addresses are a picture, so the file's text has no way to reach you. Write them as text, and make the addresses links.",
  },
  {
    id: "skill-bars",
    page: "resume-1",
    severity: "should",
    criterion: "layout",
    text: "95% of what? No one can compare a bar with anything, and a careful reader wonders which 5% of Figma you lack. Say what you do with a tool instead.",
    quote: "Figma 95%",
    suggestion: "Figma: components with variables, prototypes for tests, a library of 140 parts",
  },
  {
    id: "sign-up",
    page: "resume-1",
    severity: "keep",
    criterion: "impact",
    text: "The best line of the resume: what you changed, by how much, and how fast. Use it as the pattern for every other point on this page.",
    quote:
      "Cut the sign-up form from 14 fields to 5; completed sign-ups went from 38% to 61% in six weeks.",
  },
  {
    id: "present-job",
    page: "resume-1",
    severity: "must",
    criterion: "story",
    text: "Your 2020 internship comes first and your current job last, below the middle of the page. Readers expect the newest at the top, and many stop there. Reverse the order, and give the internship one line.",
  },
  {
    id: "responsible",
    page: "resume-1",
    severity: "must",
    criterion: "impact",
    text: "“Responsible for” names a duty. The result is on page 7 of your portfolio, in the smallest type of the file. Bring it here. Every team with subscriptions understands support calls.",
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
    text: "Fifteen tools, two of them discontinued. A long list hides the few that matter, and a question about Maya would be awkward. Keep the ones you'd open tomorrow.",
    quote:
      "Figma, Sketch, Adobe XD, Photoshop, Illustrator, After Effects, Axure, Balsamiq, Zeplin, InVision, Principle, Miro, Maze, Maya, MS Office",
    suggestion: "Figma, Miro, Maze, Illustrator; After Effects for short motion studies",
  },
  {
    id: "school",
    page: "resume-2",
    severity: "idea",
    criterion: "story",
    text: "After six years of work, no one asks for school marks. Without these two, the resume fits on one page, which answers your first question.",
  },
  {
    id: "lettering",
    page: "resume-2",
    severity: "keep",
    criterion: "first_impression",
    text: "I told a colleague about this after reading: you started something, ran it for two years, and printed the result. Move it to the first page, with a link.",
    quote:
      "Founded a Sunday lettering class: 20 children, two years, one printed alphabet in Bengali and Santali.",
  },
  {
    id: "personal",
    page: "resume-2",
    severity: "must",
    criterion: "fit",
    text: "Leave all of this out, including the photo. No design team needs your date of birth, your father's name or your marital status to judge your work, and some have to discard resumes that show them.",
  },
  {
    id: "declaration",
    page: "resume-2",
    severity: "should",
    criterion: "layout",
    text: "Government forms need a declaration. A resume doesn't. With the signature and the empty date, it looks like an unfinished form.",
    quote:
      "I hereby declare that the above information is true to the best of my knowledge and belief.",
  },
  {
    id: "passionate",
    page: "portfolio-1",
    severity: "should",
    criterion: "own_part",
    text: "A cover this confident deserves a line of your own. I've read this one on four portfolios this month, and it doesn't say what you do.",
    quote: "Passionate UI/UX designer crafting delightful, user-centric digital experiences.",
    suggestion: "Product designer in Pune. I make subscriptions easy to pause, change and leave.",
  },
  {
    id: "unasked",
    page: "portfolio-2",
    severity: "must",
    criterion: "choice_of_work",
    text: "Half of the list is concept work, shown as large as the work people use. A reader with three minutes may open the wrong one. Cut these three. 01, 02 and 06 are enough, and they show range.",
    rank: 3,
  },
  {
    id: "we",
    page: "portfolio-3",
    severity: "must",
    criterion: "own_part",
    text: "After eight pages I don't know which part is yours. “We” and “cross-functional” could mean anything from one icon to all of it. Write one sentence that only you could write, and name who did the rest.",
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
    text: "These five words are in every portfolio, and they don't show what happened to you. Cut the page. If you want to show process, show the evening when the first idea failed: what you had drawn, who it failed with, and what you changed.",
  },
  {
    id: "nagpur",
    page: "portfolio-5",
    severity: "keep",
    criterion: "reasoning",
    text: "One person, one city, one absurd bill: I understood the problem right away. Large and without decoration, it's also your best-looking page.",
    quote:
      "“I called four times to say I am in Nagpur till Sunday. The boxes came anyway, and I paid for them.”",
  },
  {
    id: "problem",
    page: "portfolio-5",
    severity: "should",
    criterion: "case_studies",
    text: "This is the problem behind the case study, and it comes on page 5, after the finished screens. Put it under the title on page 3. Then every screen that follows is an answer.",
    quote: "Every week, 310 people phone us to skip a meal.",
  },
  {
    id: "calendar",
    page: "portfolio-6",
    severity: "keep",
    criterion: "visual_craft",
    text: "Struck through and tinted: a paused day is marked twice, not by colour alone, and the line below says what it means for food and money. Keep exactly this.",
  },
  {
    id: "cut-off",
    page: "portfolio-6",
    severity: "idea",
    criterion: "visual_craft",
    text: "What does this button do at 22:05, when the kitchen has already bought for tomorrow? You found that limit in the interviews. A screen for that state would show more of your thinking than the one with “Done”.",
  },
  {
    id: "annotation",
    page: "portfolio-6",
    severity: "should",
    criterion: "visual_craft",
    text: "Your notes have a contrast of 2 to 1 on this background, and on a laptop they are barely visible. They explain the page's decisions, so set them in the dark green, three points larger.",
    quote: "Money returns to the wallet the same evening",
  },
  {
    id: "churn",
    page: "portfolio-7",
    severity: "must",
    criterion: "case_studies",
    text: "35% of what, since when, and because of what? Churn has many causes, and the first engineer in the room will ask. You have a solid number: show the calls at this size, and the 35% below with its base, or leave it out.",
    quote: "35% reduction in churn",
    suggestion: "From 310 calls a week to 90",
  },
  {
    id: "amazing",
    page: "portfolio-8",
    severity: "should",
    criterion: "way_through",
    text: "On the last page, people decide whether to write to you, and it has no address. Give the address the full page.",
    quote: "Let's create something amazing together",
    suggestion: "ira@example.in · irabanerjee.example.in · Pune, or remote",
  },
  {
    id: "intersection",
    page: "website-1",
    severity: "should",
    criterion: "own_part",
    text: "The largest words on your site say less than the small ones below them. Use the line from the cover, so that resume, portfolio and site introduce the same person.",
    quote: "Designing at the intersection of people, technology and delight.",
    suggestion: "I make subscriptions easy to pause, change and leave.",
  },
  {
    id: "coming-soon",
    page: "website-1",
    severity: "should",
    criterion: "choice_of_work",
    text: "A closed door in the best row of the page, for a case study you have numbers for. Write it now in five sentences and one picture, or remove the card until you have.",
    quote: "Coming soon",
  },
  {
    id: "password",
    page: "website-2",
    severity: "must",
    criterion: "way_through",
    text: "No one who hires asks for a password. They close the tab. And the same case study is open in your PDF. If something in it is confidential, leave that out and open the rest.",
    quote: "This case study is protected. Please enter the password to view it.",
  },
];

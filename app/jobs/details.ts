/** The structured details of a listing: their values, labels and facet numbers. Safe for the browser. */
import { type PayLevel, payLevels } from "./detail-limits.ts";
import { jobTypes, type JobType } from "./rules.ts";

export const disciplines = [
  { id: 1, value: "product", label: "Product design" },
  { id: 2, value: "ux", label: "UX design" },
  { id: 3, value: "ui", label: "UI design" },
  { id: 4, value: "research", label: "Design research" },
  { id: 5, value: "content", label: "Content design" },
  { id: 6, value: "graphic", label: "Graphic design" },
  { id: 7, value: "brand", label: "Brand design" },
  { id: 8, value: "motion", label: "Motion design" },
  { id: 9, value: "illustration", label: "Illustration" },
  { id: 10, value: "industrial", label: "Industrial design" },
  { id: 11, value: "fashion", label: "Fashion and textile" },
  { id: 12, value: "spatial", label: "Spatial and exhibition" },
  { id: 13, value: "game", label: "Game design" },
  { id: 14, value: "other", label: "Other design" },
] as const;
export type Discipline = (typeof disciplines)[number]["value"];

export const workModes = [
  { id: 1, value: "on-site", label: "On-site" },
  { id: 2, value: "hybrid", label: "Hybrid" },
  { id: 3, value: "remote", label: "Remote" },
] as const;
export type WorkMode = (typeof workModes)[number]["value"];

/** The task that a company gives applicants. */
export const testTasks = [
  { value: "none", label: "No test task" },
  { value: "unpaid", label: "Unpaid test task" },
  { value: "paid", label: "Paid test task" },
] as const;
export type TestTask = (typeof testTasks)[number]["value"];

/** Skills by their number in the database. A number is never reused. */
export const skills = [
  { id: 1, value: "figma", label: "Figma" },
  { id: 2, value: "sketch", label: "Sketch" },
  { id: 3, value: "adobe-xd", label: "Adobe XD" },
  { id: 4, value: "photoshop", label: "Photoshop" },
  { id: 5, value: "illustrator", label: "Adobe Illustrator" },
  { id: 6, value: "indesign", label: "InDesign" },
  { id: 7, value: "after-effects", label: "After Effects" },
  { id: 8, value: "premiere-pro", label: "Premiere Pro" },
  { id: 9, value: "blender", label: "Blender" },
  { id: 10, value: "cinema-4d", label: "Cinema 4D" },
  { id: 11, value: "3d-modelling", label: "3D modelling" },
  { id: 12, value: "framer", label: "Framer" },
  { id: 13, value: "webflow", label: "Webflow" },
  { id: 14, value: "wordpress", label: "WordPress" },
  { id: 15, value: "html-css", label: "HTML and CSS" },
  { id: 16, value: "javascript", label: "JavaScript" },
  { id: 17, value: "react", label: "React" },
  { id: 18, value: "swiftui", label: "SwiftUI" },
  { id: 19, value: "design-systems", label: "Design systems" },
  { id: 20, value: "design-tokens", label: "Design tokens" },
  { id: 21, value: "prototyping", label: "Prototyping" },
  { id: 22, value: "wireframing", label: "Wireframing" },
  { id: 23, value: "interaction-design", label: "Interaction design" },
  { id: 24, value: "visual-design", label: "Visual design" },
  { id: 25, value: "information-architecture", label: "Information architecture" },
  { id: 26, value: "user-flows", label: "User flows" },
  { id: 27, value: "user-interviews", label: "User interviews" },
  { id: 28, value: "usability-testing", label: "Usability testing" },
  { id: 29, value: "surveys", label: "Surveys" },
  { id: 30, value: "field-research", label: "Field research" },
  { id: 31, value: "journey-mapping", label: "Journey mapping" },
  { id: 32, value: "service-design", label: "Service design" },
  { id: 33, value: "workshops", label: "Workshop facilitation" },
  { id: 34, value: "data-analysis", label: "Data analysis" },
  { id: 35, value: "data-visualisation", label: "Data visualisation" },
  { id: 36, value: "accessibility", label: "Accessibility" },
  { id: 37, value: "ux-writing", label: "UX writing" },
  { id: 38, value: "copywriting", label: "Copywriting" },
  { id: 39, value: "localisation", label: "Localisation" },
  { id: 40, value: "typography", label: "Typography" },
  { id: 41, value: "type-design", label: "Type design" },
  { id: 42, value: "lettering", label: "Lettering" },
  { id: 43, value: "layout", label: "Layout" },
  { id: 44, value: "branding", label: "Branding" },
  { id: 45, value: "logo-design", label: "Logo design" },
  { id: 46, value: "packaging", label: "Packaging" },
  { id: 47, value: "print-production", label: "Print production" },
  { id: 48, value: "drawing", label: "Drawing" },
  { id: 49, value: "storyboarding", label: "Storyboarding" },
  { id: 50, value: "animation", label: "Animation" },
  { id: 51, value: "video-editing", label: "Video editing" },
  { id: 52, value: "lottie", label: "Lottie" },
  { id: 53, value: "photography", label: "Photography" },
  { id: 54, value: "cad", label: "CAD" },
  { id: 55, value: "solidworks", label: "SolidWorks" },
  { id: 56, value: "rhino", label: "Rhino" },
  { id: 57, value: "sketchup", label: "SketchUp" },
  { id: 58, value: "unity", label: "Unity" },
  { id: 59, value: "pattern-making", label: "Pattern making" },
  { id: 60, value: "people-management", label: "People management" },
] as const;

export const payPeriods = ["year", "month", "week", "day", "hour", "project"] as const;
export type PayPeriod = (typeof payPeriods)[number];

/** The factor from a period's pay to a year's. Pay for a project has no yearly amount. */
export const periodsPerYear: Record<Exclude<PayPeriod, "project">, number> = {
  year: 1,
  month: 12,
  week: 52,
  day: 260,
  hour: 2_080,
};

/** A listing's structured details. Null or an empty list means not stated. */
export type JobDetails = {
  discipline: Discipline | null;
  workMode: WorkMode | null;
  /** The places of work, by place id. */
  placeIds: number[];
  /** For remote work: the places that applicants may live in, by place id. The id `anywhere` of places/rules.ts means no limit. */
  applicantPlaceIds: number[];
  /** Years. */
  experienceMin: number | null;
  experienceMax: number | null;
  skillIds: number[];
  /** The fixed pay per period, in units of the currency. 0 is unpaid, for internships only. */
  payMin: number | null;
  payMax: number | null;
  /** The variable pay per period, on top of the fixed pay. */
  payVariable: number | null;
  payPeriod: PayPeriod | null;
  /** ISO 4217. */
  payCurrency: string;
  /** The rounds of interviews. */
  rounds: number | null;
  testTask: TestTask | null;
  /** The hours that a test task takes. */
  testTaskHours: number | null;
  /** The company answers within this many days. */
  answerDays: number | null;
};

export const noDetails: JobDetails = {
  discipline: null,
  workMode: null,
  placeIds: [],
  applicantPlaceIds: [],
  experienceMin: null,
  experienceMax: null,
  skillIds: [],
  payMin: null,
  payMax: null,
  payVariable: null,
  payPeriod: null,
  payCurrency: "INR",
  rounds: null,
  testTask: null,
  testTaskHours: null,
  answerDays: null,
};

/**
 * The numbers in `jobs.facets`, one for each thing that a filter can ask for. The database's `set_job_facets`
 * computes them.
 */
export const facets = {
  /** The listing doesn't state what the filter asks for. */
  unstated: {
    discipline: 29,
    mode: 39,
    task: 49,
    place: 99,
    skill: 199,
    experience: 299,
    pay: 399,
  },
  type: (type: JobType) => 1 + jobTypes.indexOf(type),
  discipline: (discipline: Discipline) => 10 + findById(disciplines, discipline),
  workMode: (mode: WorkMode) => 30 + findById(workModes, mode),
  /** The listing states a paid test task, or that there is none. */
  noUnpaidTask: 41,
  skill: (id: number) => 100 + id,
  /** The job's range includes this many years of experience. */
  experience: (years: number) => 200 + years,
  /** The top of the fixed pay is at least this level. */
  pay: (level: PayLevel) => 301 + payLevels.findIndex(({ value }) => value === level),
  /** The stated pay has no yearly amount in rupees. */
  payNotComparable: 398,
  /** Work in this place, or in a place within it. */
  workPlace: (id: number) => 100_000_000 + id,
  /** Remote work open to all of this place. */
  applicantPlace: (id: number) => 200_000_000 + id,
  /** Remote work open to a place within this one. */
  applicantPlaceWithin: (id: number) => 300_000_000 + id,
} as const;

function findById<Value>(list: readonly { id: number; value: Value }[], value: Value): number {
  return list.find((item) => item.value === value)!.id;
}

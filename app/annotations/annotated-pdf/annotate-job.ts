/** The content of an annotated PDF and its source files: a job of the child process. */
import type { NumberedRemark } from "../marked.ts";
import type { Part, Scores } from "../../reviews/rubric.ts";

/** A page that remarks are pinned to, as they were numbered on the screen. */
export type AnnotatedSheet = {
  /** Names it in links, as in "resume-1". */
  id: string;
  title: string;
  caption: string | null;
  /** Sides as the page is shown; of their ratio alone is anything made. */
  width: number;
  height: number;
  remarks: NumberedRemark[];
  /** The page of a part that it is, counted from 1; null for a screenshot. */
  page: { part: Part; number: number } | null;
  /** Pictures of it from top to bottom, each over its whole width, if any are there: names of files. */
  pictures: { file: string; height: number }[];
};

/** The content of an annotated PDF. Its texts are complete, so nothing is looked up. */
export type AnnotatedContent = {
  /** The same as on the screen: "Resume Review". */
  title: string;
  /** The product's name, as the author of the review. */
  productName: string;
  feedback: string | null;
  scores: Scores;
  /** The customer's questions with the reviewer's answers. */
  answers: { question: string; answer: string }[];
  sheets: AnnotatedSheet[];
  /** Remarks whose page or screenshot is not there any more. */
  placeless: NumberedRemark[];
};

export type AnnotateJob = AnnotatedContent & {
  /** Absolute path of the folder with the files; what is made comes there as well. */
  folder: string;
  /** PDFs of the customer, by the names of their files; those of the others are made of pictures. */
  originals: { part: Part; file: string }[];
};

/** The child process's result, in the job's folder. */
export const madeFile = "annotated.pdf";

export type AnnotateAnswer =
  | { bytes: number; pages: number }
  /** Files that cannot be written into, so that pictures replace them. */
  | { unusable: Part[] }
  | { flaw: string };

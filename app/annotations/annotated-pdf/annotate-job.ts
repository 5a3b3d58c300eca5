/** A job of the child process: the content of an annotated PDF and its source files. */
import type { NumberedRemark } from "../marked.ts";
import type { Comparison, ComparedRemark } from "../second-look/find-second-look.server.ts";
import type { Area } from "../rules.ts";
import type { Severity } from "../severities.ts";
import type { Part, Scores } from "../../reviews/rubric.ts";

/** A page with its remarks, numbered as on the screen. */
export type AnnotatedSheet = {
  /** Its name in links, such as "resume-1". */
  id: string;
  title: string;
  caption: string | null;
  /** The sides of the page as shown; only their ratio matters. */
  width: number;
  height: number;
  remarks: NumberedRemark[];
  /** The part and the page number, from 1; null for a screenshot. */
  page: { part: Part; number: number } | null;
  /** File names of its pictures, from top to bottom, each as wide as the page; may be empty. */
  pictures: { file: string; height: number }[];
};

/** The content of an annotated PDF. Its texts are complete, so nothing is looked up. */
export type AnnotatedContent = {
  /** The same as on the screen: "Resume Review". */
  title: string;
  /** The product's name, as the author of the review. */
  productName: string;
  /** The customer's name, if their profile has one. */
  customer: string | null;
  /** The reviewer and the date; null for an open review. */
  signature: string | null;
  feedback: string | null;
  scores: Scores;
  /** The customer's questions with the reviewer's answers. */
  answers: { question: string; answer: string }[];
  sheets: AnnotatedSheet[];
  /** Remarks whose page or screenshot was removed. */
  unpinned: NumberedRemark[];
  /** The earlier remarks with their outcomes; null for a first review. */
  secondLook: AnnotatedSecondLook | null;
};

/** The comparison of a second look with the earlier review. */
export type AnnotatedSecondLook = Pick<Comparison, "scores"> & {
  /** The date of the earlier review: "Nov 4, 2026". */
  earlierOn: string;
  remarks: Omit<ComparedRemark, "before" | "after">[];
  /** An earlier and a new page for each pair with a confirmed place. */
  pairs: { before: PairedPage; after: PairedPage }[];
};

/** A page of a pair, with the marks of the earlier remarks on it. */
export type PairedPage = Pick<AnnotatedSheet, "title" | "width" | "height" | "pictures"> & {
  marks: { id: string; number: number; severity: Severity; area: Area | null }[];
};

export type AnnotateJob = AnnotatedContent & {
  /** Absolute path of the folder with the files, and of the result. */
  folder: string;
  /** The customer's PDFs by file name. Other parts are built from pictures. */
  originals: { part: Part; file: string }[];
};

/** The child process's result, in the job's folder. */
export const annotatedFile = "annotated.pdf";

export type AnnotateAnswer =
  | { bytes: number; pages: number }
  /** Files that cannot be annotated; pictures replace them. */
  | { unusable: Part[] }
  | { problem: string };

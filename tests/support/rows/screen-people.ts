import { crowd } from "../../../db/demo/people.ts";

/** A demo person who has bought nothing. */
export const readerOf = crowd[30]!.email;

/** A reviewer whose work shows each state of the workspace. */
export const workspaceReviewer = "nila.screens@example.in";

import { data } from "react-router";
import { buildPrivateMeta } from "../ui/meta.ts";
import type { Route } from "./+types/not-found.screen.ts";
import { ErrorPage, notFound } from "./error-screen.tsx";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, notFound.title);

/** Answers every path without a screen. */
export function loader() {
  return data(null, { status: 404 });
}

/** Any method of a missing path is answered with 404. */
export const action = loader;

export default function NotFoundScreen() {
  return <ErrorPage words={notFound} />;
}

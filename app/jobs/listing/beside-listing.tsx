import { Link } from "react-router";
import contours from "../../ui/brand/contours.svg?no-inline";
import { coordinates, placeOf } from "./places.ts";
import type { SimilarJob } from "../find.server.ts";

/** An ornament: a piece of chart with the job's city on it. What it says is in the text as well. */
export function JobChart({ id, location }: { id: string; location: string }) {
  const place = placeOf(location);
  return (
    <div
      aria-hidden="true"
      className="relative hidden h-40 overflow-hidden border border-b-0 border-ink bg-lowland lg:block"
    >
      <div className="absolute inset-0 bg-contour opacity-70" style={pieceOfContours(id)} />
      <svg className="absolute inset-0 size-full" viewBox="0 0 336 160" fill="none">
        <path
          d="M84 0v160M168 0v160M252 0v160M0 40h336M0 120h336"
          className="stroke-ink/20"
          strokeDasharray="2 4"
        />
        <circle
          cx="168"
          cy="84"
          r="26"
          className="stroke-accent"
          strokeDasharray="1 4"
          strokeWidth="1.5"
        />
        <path
          d="M168 84c-9-12-13-18-13-25a13 13 0 0 1 26 0c0 7-4 13-13 25z"
          className="fill-accent"
        />
        <circle cx="168" cy="59" r="4.5" className="fill-sheet" />
      </svg>
      <span className="absolute end-0 bottom-0 bg-sheet px-2 py-0.5 text-xs text-ink-soft tabular">
        {place ? coordinates(place).join(" ") : location}
      </span>
    </div>
  );
}

/** Each job lies on another part of the contour sheet. */
function pieceOfContours(id: string) {
  const [x, y] = [parseInt(id.slice(0, 4), 16) % 100, parseInt(id.slice(4, 8), 16) % 100];
  return { mask: `url("${contours}") ${x}% ${y}% / 1200px auto` };
}

/** Where to go on from a job that is gone. */
export function SimilarJobs({ jobs }: { jobs: SimilarJob[] }) {
  return (
    <section aria-labelledby="similar-jobs" className="mt-12">
      <h2 id="similar-jobs" className="text-xl">
        Similar jobs that are open
      </h2>
      <ul className="mt-4 border-t border-line">
        {jobs.map((job) => (
          <li
            key={job.id}
            className="flex flex-wrap items-baseline gap-x-4 border-b border-line py-2"
          >
            <Link
              to={`/jobs/${job.id}`}
              prefetch="intent"
              className="inline-flex min-h-11 items-center font-semibold"
            >
              {job.title}
            </Link>
            <span className="text-sm text-ink-soft">
              {job.company} · {job.location} · {job.jobType}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

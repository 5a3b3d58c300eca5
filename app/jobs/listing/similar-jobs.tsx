import { Link } from "react-router";
import type { SimilarJob } from "./similar-jobs.server.ts";

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

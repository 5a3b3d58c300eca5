import type { MiddlewareHandler } from "hono";
import {
  findViewedJob,
  isPersonsBrowser,
  type ViewCounter,
} from "../../app/jobs/figures/count-views.server.ts";
import { isPrefetch } from "./prefetches.ts";
import type { Env } from "./request.ts";

/** Counts the views of jobs by people, before any cache responds. It counts only in memory, so a GET writes nothing. */
export function countViews(views: Pick<ViewCounter, "add">): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    const { req, res } = context;
    const jobId = findViewedJob(req.path);
    if (
      jobId !== null &&
      req.method === "GET" &&
      // 304: the browser shows the page that it has.
      (res.status === 200 || res.status === 304) &&
      !isPrefetch(context) &&
      !isSamePage(req.header("referer"), jobId) &&
      isPersonsBrowser(req.header("user-agent"))
    )
      views.add(jobId);
  };
}

/** A page that is open already reads its data again after a form. */
function isSamePage(referer: string | undefined, jobId: string): boolean {
  return (
    referer !== undefined &&
    URL.canParse(referer) &&
    findViewedJob(new URL(referer).pathname) === jobId
  );
}

import { desc, eq } from "drizzle-orm";
import { users } from "../../app/accounts/tables.server.ts";
import { jobs } from "../../app/jobs/tables.server.ts";
import { orders } from "../../app/payments/tables.server.ts";
import { reviewAssignments, serviceReviews } from "../../app/reviews/tables.server.ts";
import type { RunningProduct } from "../journeys/support/product.ts";

export type Screen = { name: string; path: string; as?: string };

/** Every screen of the product in the states that the demo data holds, and who sees it. */
export async function screensOf({ db }: RunningProduct): Promise<Screen[]> {
  const [asha] = await db.select().from(users).where(eq(users.email, "asha@example.com"));
  const own = await db.select().from(serviceReviews).where(eq(serviceReviews.userId, asha!.id));
  const inState = (status: string) => own.find((review) => review.status === status)!.id;
  const [job] = await db
    .select()
    .from(jobs)
    .where(eq(jobs.isArchived, false))
    .orderBy(desc(jobs.postedAt))
    .limit(1);
  const [archived] = await db.select().from(jobs).where(eq(jobs.isArchived, true)).limit(1);
  const [failed] = await db.select().from(orders).where(eq(orders.status, "failed")).limit(1);
  const [paid] = await db.select().from(orders).where(eq(orders.status, "success")).limit(1);
  const [meera] = await db.select().from(users).where(eq(users.email, "meera@example.in"));
  const [done] = await db
    .select()
    .from(reviewAssignments)
    .where(eq(reviewAssignments.reviewerId, meera!.id))
    .orderBy(desc(reviewAssignments.completedAt));
  const customer = "asha@example.com";
  const newcomer = "ravi@example.com";
  const reviewer = "meera@example.in";
  const admin = "gita@example.in";
  return [
    { name: "home", path: "/" },
    { name: "home-signed-in", path: "/", as: customer },
    { name: "not-found", path: "/nowhere" },
    { name: "about", path: "/about" },
    { name: "contact", path: "/contact" },
    { name: "faq", path: "/faq" },
    { name: "privacy", path: "/privacy" },
    { name: "terms", path: "/terms" },
    { name: "refund", path: "/refund" },
    { name: "subscription", path: "/subscription", as: "sonia@example.com" },
    { name: "subscription-none", path: "/subscription", as: newcomer },
    { name: "login", path: "/login" },
    { name: "signup", path: "/signup" },
    { name: "forgot-password", path: "/forgot-password" },
    { name: "reset-password-refused", path: "/reset-password?token_hash=none&type=recovery" },
    { name: "confirmation-refused", path: "/account-confirmation?token_hash=none&type=signup" },
    { name: "jobs", path: "/jobs" },
    { name: "jobs-signed-in", path: "/jobs?type=Internship", as: customer },
    { name: "jobs-none", path: "/jobs?search=zzzzzz" },
    { name: "job", path: `/jobs/${job!.id}` },
    { name: "job-signed-in", path: `/jobs/${job!.id}`, as: customer },
    { name: "job-archived", path: `/jobs/${archived!.id}` },
    { name: "services", path: "/services" },
    { name: "example-review", path: "/services/example-review" },
    { name: "services-signed-in", path: "/services", as: customer },
    { name: "resume-review", path: "/services/resume-review", as: newcomer },
    { name: "portfolio-review", path: "/services/portfolio-review", as: newcomer },
    { name: "combined-review", path: "/services/combined-review", as: newcomer },
    { name: "payment-failed", path: `/payment-failure?txnId=${failed!.orderId}` },
    { name: "payment-successful", path: `/payment-success?txnId=${paid!.orderId}` },
    { name: "profile", path: "/profile", as: customer },
    { name: "profile-empty", path: "/profile", as: newcomer },
    { name: "review-completed", path: `/service-review/${inState("completed")}`, as: customer },
    { name: "review-pending", path: `/service-review/${inState("pending")}`, as: customer },
    { name: "review-refused", path: `/service-review/${inState("completed")}`, as: newcomer },
    { name: "reviewer", path: "/reviewer", as: reviewer },
    { name: "reviewer-completed", path: "/reviewer?tab=completed", as: reviewer },
    { name: "reviewer-empty", path: "/reviewer", as: "kabir@example.in" },
    { name: "workspace", path: `/reviewer/submission/${inState("under_review")}`, as: reviewer },
    { name: "workspace-completed", path: `/reviewer/submission/${done!.reviewId}`, as: reviewer },
    { name: "admin-reviews", path: "/admin/reviews", as: admin },
    { name: "admin-assigned", path: "/admin/reviews/assigned", as: admin },
    {
      name: "admin-set-priority",
      path: `/admin/reviews?edit=${inState("pending")}`,
      as: admin,
    },
    {
      name: "admin-reassign",
      path: `/admin/reviews/assigned?reassign=${inState("under_review")}`,
      as: admin,
    },
    {
      name: "admin-assigned-none",
      path: "/admin/reviews/assigned?reviewer=nobody",
      as: admin,
    },
    { name: "admin-completed", path: "/admin/reviews/completed", as: admin },
    {
      name: "admin-edit-review",
      path: `/admin/reviews/completed?edit=${inState("completed")}`,
      as: admin,
    },
    { name: "admin-overview", path: "/admin", as: admin },
    { name: "admin-users", path: "/admin/users", as: admin },
    { name: "admin-users-none", path: "/admin/users?search=zzzzzz", as: admin },
    { name: "admin-settings", path: "/admin/settings", as: admin },
    { name: "admin-history", path: "/admin/history", as: admin },
    { name: "admin-jobs", path: "/admin/jobs", as: admin },
    { name: "job-board", path: "/job-board", as: "devi@example.in" },
    { name: "job-board-empty", path: "/job-board", as: "sonia@example.com" },
    { name: "job-board-new", path: "/job-board?new", as: "devi@example.in" },
  ];
}

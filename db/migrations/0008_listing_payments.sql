ALTER TABLE "job_submissions" DROP CONSTRAINT "job_submissions_state_known";--> statement-breakpoint
ALTER TABLE "job_submissions" ADD COLUMN "price" integer;--> statement-breakpoint
ALTER TABLE "job_submissions" ADD COLUMN "payable_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "job_submissions" ADD CONSTRAINT "job_submissions_payable" CHECK ("job_submissions"."state" <> 'payable' or ("job_submissions"."price" > 0 and "job_submissions"."payable_until" is not null));--> statement-breakpoint
ALTER TABLE "job_submissions" ADD CONSTRAINT "job_submissions_state_known" CHECK ("job_submissions"."state" in ('draft', 'waiting', 'returned', 'payable', 'live', 'discarded'));
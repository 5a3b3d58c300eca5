CREATE TABLE "job_checks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"job_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"actor_id" uuid,
	"result" text NOT NULL,
	CONSTRAINT "job_checks_kind_known" CHECK ("job_checks"."kind" in ('staff', 'contact', 'company', 'feed')),
	CONSTRAINT "job_checks_result_known" CHECK ("job_checks"."result" in ('open', 'filled', 'closed'))
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "closes_on" date;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "check_email" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "check_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "lapses" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "live_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "published_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "archived_reason" text;--> statement-breakpoint
ALTER TABLE "job_checks" ADD CONSTRAINT "job_checks_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_checks" ADD CONSTRAINT "job_checks_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "job_checks_job" ON "job_checks" USING btree ("job_id","at");--> statement-breakpoint
CREATE INDEX "job_checks_actor" ON "job_checks" USING btree ("actor_id");--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_archived_reason_known" CHECK ("jobs"."archived_reason" in ('closed', 'filled', 'date', 'unanswered', 'withdrawn', 'reported', 'gone')) NOT VALID;
CREATE TABLE "job_reports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"job_id" uuid,
	"reporter_id" uuid,
	"email" text,
	"network" text,
	"reason" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"state" text DEFAULT 'open' NOT NULL,
	"decision_id" uuid,
	"decision_reason" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "job_reports_reason_known" CHECK ("job_reports"."reason" in ('money', 'fake', 'closed', 'facts', 'data', 'other')),
	CONSTRAINT "job_reports_state_known" CHECK ("job_reports"."state" in ('open', 'archived', 'dismissed')),
	CONSTRAINT "job_reports_email_lower_case" CHECK ("job_reports"."email" = lower("job_reports"."email")),
	CONSTRAINT "job_reports_decided" CHECK (("job_reports"."state" = 'open') = ("job_reports"."decided_at" is null))
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "reported_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "job_reports" ADD CONSTRAINT "job_reports_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_reports" ADD CONSTRAINT "job_reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_reports" ADD CONSTRAINT "job_reports_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "job_reports_account" ON "job_reports" USING btree ("job_id","reporter_id") WHERE state = 'open' and reporter_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "job_reports_address" ON "job_reports" USING btree ("job_id","email",(confirmed_at is null)) WHERE state = 'open' and email is not null;--> statement-breakpoint
CREATE INDEX "job_reports_open" ON "job_reports" USING btree ("job_id","created_at") WHERE state = 'open' and confirmed_at is not null;--> statement-breakpoint
CREATE INDEX "job_reports_unconfirmed" ON "job_reports" USING btree ("created_at") WHERE confirmed_at is null;--> statement-breakpoint
CREATE INDEX "job_reports_decided" ON "job_reports" USING btree ("state","decided_at") WHERE decided_at is not null;--> statement-breakpoint
CREATE INDEX "job_reports_job" ON "job_reports" USING btree ("job_id") WHERE job_id is not null;--> statement-breakpoint
CREATE INDEX "job_reports_reporter" ON "job_reports" USING btree ("reporter_id") WHERE reporter_id is not null;--> statement-breakpoint
CREATE INDEX "job_reports_decided_by" ON "job_reports" USING btree ("decided_by") WHERE decided_by is not null;
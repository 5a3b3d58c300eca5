CREATE TABLE "tracked_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tracked_job_id" uuid NOT NULL,
	"state" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tracked_events_state_known" CHECK (state in ('saved', 'applied', 'interviewing', 'offer', 'rejected', 'withdrawn'))
);
--> statement-breakpoint
CREATE TABLE "tracked_jobs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"job_id" uuid,
	"title" text NOT NULL,
	"company" text NOT NULL,
	"place" text DEFAULT '' NOT NULL,
	"url" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'saved' NOT NULL,
	"applied_on" date,
	"next_step_on" date,
	"notes" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tracked_jobs_state_known" CHECK (state in ('saved', 'applied', 'interviewing', 'offer', 'rejected', 'withdrawn'))
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"email" text NOT NULL,
	"query" text NOT NULL,
	"frequency" text NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"stopped_at" timestamp (3) with time zone,
	"sent_until" timestamp (3) with time zone NOT NULL,
	"bounces" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "alerts_frequency_known" CHECK ("alerts"."frequency" in ('daily', 'weekly')),
	CONSTRAINT "alerts_state_known" CHECK ("alerts"."state" in ('pending', 'active', 'stopped')),
	CONSTRAINT "alerts_email_lower_case" CHECK ("alerts"."email" = lower("alerts"."email"))
);
--> statement-breakpoint
ALTER TABLE "consents" DROP CONSTRAINT "consents_how_known";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "headers" jsonb;--> statement-breakpoint
ALTER TABLE "tracked_events" ADD CONSTRAINT "tracked_events_tracked_job_id_tracked_jobs_id_fk" FOREIGN KEY ("tracked_job_id") REFERENCES "public"."tracked_jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracked_jobs" ADD CONSTRAINT "tracked_jobs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracked_jobs" ADD CONSTRAINT "tracked_jobs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tracked_events_job" ON "tracked_events" USING btree ("tracked_job_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "tracked_jobs_listing" ON "tracked_jobs" USING btree ("user_id","job_id") WHERE job_id is not null;--> statement-breakpoint
CREATE INDEX "tracked_jobs_user" ON "tracked_jobs" USING btree ("user_id","state","updated_at","id");--> statement-breakpoint
CREATE INDEX "tracked_jobs_job" ON "tracked_jobs" USING btree ("job_id") WHERE job_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_address_query" ON "alerts" USING btree ("email","query") WHERE state <> 'stopped';--> statement-breakpoint
CREATE INDEX "alerts_due" ON "alerts" USING btree ("frequency","sent_until","email") WHERE state = 'active';--> statement-breakpoint
CREATE INDEX "alerts_pending" ON "alerts" USING btree ("created_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "alerts_email" ON "alerts" USING btree ("email");--> statement-breakpoint
CREATE INDEX "alerts_user" ON "alerts" USING btree ("user_id") WHERE user_id is not null;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_how_known" CHECK ("consents"."how" in ('sign-up', 'profile', 'share', 'notice', 'check', 'alert', 'before'));
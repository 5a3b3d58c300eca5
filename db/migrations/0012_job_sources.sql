CREATE TABLE "job_sources" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"company_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"board" text NOT NULL,
	"external_id" text NOT NULL,
	"url" text,
	"hash" text NOT NULL,
	"submission_id" uuid,
	"job_id" uuid,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"missing_since" timestamp (3) with time zone,
	CONSTRAINT "job_sources_key" UNIQUE("provider","board","external_id"),
	CONSTRAINT "job_sources_provider_known" CHECK ("job_sources"."provider" in ('greenhouse', 'lever', 'ashby', 'json', 'csv', 'wp-job-manager'))
);
--> statement-breakpoint
ALTER TABLE "job_sources" ADD CONSTRAINT "job_sources_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_sources" ADD CONSTRAINT "job_sources_submission_id_job_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."job_submissions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_sources" ADD CONSTRAINT "job_sources_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "job_sources_company" ON "job_sources" USING btree ("company_id","provider","board");--> statement-breakpoint
CREATE INDEX "job_sources_submission" ON "job_sources" USING btree ("submission_id");--> statement-breakpoint
CREATE INDEX "job_sources_job" ON "job_sources" USING btree ("job_id");
CREATE TABLE "companies" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"website" text NOT NULL,
	"domain" text NOT NULL,
	"about" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'new' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "companies_slug" UNIQUE("slug"),
	CONSTRAINT "companies_state_known" CHECK ("companies"."state" in ('new', 'approved', 'hidden')),
	CONSTRAINT "companies_decided" CHECK (("companies"."state" = 'new') or "companies"."decided_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "company_members" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"company_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"work_email" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"approved_at" timestamp (3) with time zone,
	CONSTRAINT "company_members_person" UNIQUE("company_id","user_id"),
	CONSTRAINT "company_members_role_known" CHECK ("company_members"."role" in ('owner', 'member')),
	CONSTRAINT "company_members_email_lower_case" CHECK ("company_members"."work_email" = lower("company_members"."work_email")),
	CONSTRAINT "company_members_confirmed_first" CHECK ("company_members"."approved_at" is null or "company_members"."confirmed_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "job_submissions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"job_id" uuid,
	"company_id" uuid NOT NULL,
	"submitted_by" uuid,
	"source" text DEFAULT 'form' NOT NULL,
	"fields" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "job_submissions_state_known" CHECK ("job_submissions"."state" in ('draft', 'waiting', 'returned', 'live', 'discarded')),
	CONSTRAINT "job_submissions_source_known" CHECK ("job_submissions"."source" in ('form', 'import')),
	CONSTRAINT "job_submissions_sent" CHECK ("job_submissions"."state" <> 'waiting' or "job_submissions"."sent_at" is not null),
	CONSTRAINT "job_submissions_reason" CHECK ("job_submissions"."state" <> 'returned' or "job_submissions"."reason" is not null),
	CONSTRAINT "job_submissions_text_deleted" CHECK ("job_submissions"."state" not in ('live', 'discarded') or "job_submissions"."fields" = '{}')
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "company_id" uuid;--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "company_members" ADD CONSTRAINT "company_members_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "company_members" ADD CONSTRAINT "company_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_submissions" ADD CONSTRAINT "job_submissions_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_submissions" ADD CONSTRAINT "job_submissions_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_submissions" ADD CONSTRAINT "job_submissions_submitted_by_users_id_fk" FOREIGN KEY ("submitted_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_submissions" ADD CONSTRAINT "job_submissions_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "companies_domain" ON "companies" USING btree ("domain") WHERE confirmed_at is not null;--> statement-breakpoint
CREATE INDEX "companies_unconfirmed" ON "companies" USING btree ("created_at") WHERE confirmed_at is null;--> statement-breakpoint
CREATE INDEX "companies_public" ON "companies" USING btree (lower(name),"id") WHERE state = 'approved';--> statement-breakpoint
CREATE INDEX "companies_decided_by" ON "companies" USING btree ("decided_by") WHERE decided_by is not null;--> statement-breakpoint
CREATE INDEX "company_members_user" ON "company_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "company_members_unconfirmed" ON "company_members" USING btree ("asked_at") WHERE confirmed_at is null;--> statement-breakpoint
CREATE INDEX "company_members_claims" ON "company_members" USING btree ("confirmed_at","id") WHERE confirmed_at is not null and approved_at is null;--> statement-breakpoint
CREATE INDEX "job_submissions_company" ON "job_submissions" USING btree ("company_id","state","updated_at");--> statement-breakpoint
CREATE INDEX "job_submissions_waiting" ON "job_submissions" USING btree ("sent_at","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "job_submissions_job" ON "job_submissions" USING btree ("job_id") WHERE job_id is not null and state in ('draft', 'waiting', 'returned');--> statement-breakpoint
CREATE INDEX "job_submissions_published" ON "job_submissions" USING btree ("job_id") WHERE job_id is not null;--> statement-breakpoint
CREATE INDEX "job_submissions_submitted_by" ON "job_submissions" USING btree ("submitted_by") WHERE submitted_by is not null;--> statement-breakpoint
CREATE INDEX "job_submissions_decided_by" ON "job_submissions" USING btree ("decided_by") WHERE decided_by is not null;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE set null ON UPDATE no action NOT VALID;--> statement-breakpoint
-- Public pages name companies.
CREATE TRIGGER public_companies_changed AFTER UPDATE OR DELETE ON companies
FOR EACH STATEMENT EXECUTE FUNCTION tell_jobs_changed();--> statement-breakpoint
-- A banned person no longer posts for any company, also after the ban.
CREATE FUNCTION end_memberships() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM company_members WHERE user_id = NEW.id;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER bans_end_memberships AFTER UPDATE OF banned_until ON users
FOR EACH ROW WHEN (NEW.banned_until IS NOT NULL AND NEW.banned_until IS DISTINCT FROM OLD.banned_until)
EXECUTE FUNCTION end_memberships();

CREATE TABLE "contact_questions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"job_id" uuid NOT NULL,
	"email" text,
	"email_hash" text NOT NULL,
	"token_hash" text NOT NULL,
	"reminder_token_hash" text,
	"due_at" timestamp (3) with time zone NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"reminded_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"answer" text,
	CONSTRAINT "contact_questions_email_lower_case" CHECK ("contact_questions"."email" = lower("contact_questions"."email")),
	CONSTRAINT "contact_questions_answer_known" CHECK ("contact_questions"."answer" in ('open', 'filled', 'closed', 'withdrawn')),
	CONSTRAINT "contact_questions_answered" CHECK (("contact_questions"."answer" is null) = ("contact_questions"."answered_at" is null))
);
--> statement-breakpoint
CREATE TABLE "stopped_contacts" (
	"email_hash" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stopped_contacts_reason_known" CHECK ("stopped_contacts"."reason" in ('withdrawn', 'bounced'))
);
--> statement-breakpoint
ALTER TABLE "consents" DROP CONSTRAINT "consents_one_person";--> statement-breakpoint
ALTER TABLE "consents" DROP CONSTRAINT "consents_how_known";--> statement-breakpoint
ALTER TABLE "consents" ADD COLUMN "email_hash" text;--> statement-breakpoint
ALTER TABLE "contact_questions" ADD CONSTRAINT "contact_questions_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "contact_questions_due" ON "contact_questions" USING btree ("job_id","due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_questions_token" ON "contact_questions" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_questions_reminder_token" ON "contact_questions" USING btree ("reminder_token_hash");--> statement-breakpoint
CREATE INDEX "contact_questions_email" ON "contact_questions" USING btree ("email_hash","asked_at");--> statement-breakpoint
CREATE INDEX "contact_questions_asked" ON "contact_questions" USING btree ("asked_at");--> statement-breakpoint
CREATE INDEX "contact_questions_to_remind" ON "contact_questions" USING btree ("asked_at") WHERE answered_at is null and reminded_at is null;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_one_person" CHECK (num_nonnulls("consents"."user_id", "consents"."email", "consents"."email_hash") = 1);--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_how_known" CHECK ("consents"."how" in ('sign-up', 'profile', 'share', 'notice', 'check', 'before'));--> statement-breakpoint
-- The email addresses in a text, in lower case. Indexes use it to find every listing and event that names an address.
CREATE FUNCTION emails_in(words text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN strpos(words, '@') = 0 THEN '{}' ELSE ARRAY(
    SELECT DISTINCT btrim(match[1], '.''`*!_-')
    FROM regexp_matches(
      lower(words), '([^\s<>()[\]{},;:|/\\"“”„‘’«»–—?=&@]+@[^\s<>()[\]{},;:|/\\"“”„‘’«»–—?=&@]+)', 'g') AS matches (match)
  ) END
$$;

CREATE TABLE "reply_records" (
	"company_key" text NOT NULL,
	"week" date NOT NULL,
	"people" integer NOT NULL,
	"within" integer NOT NULL,
	"later" integer NOT NULL,
	CONSTRAINT "reply_records_company_key_week_pk" PRIMARY KEY("company_key","week")
);
--> statement-breakpoint
CREATE TABLE "reply_answers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tracked_job_id" uuid,
	"user_id" uuid,
	"company_key" text NOT NULL,
	"outcome" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reply_answers_outcome_known" CHECK ("reply_answers"."outcome" in ('within', 'later', 'not-yet', 'withdrawn'))
);
--> statement-breakpoint
ALTER TABLE "tracked_jobs" ADD COLUMN "asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "reply_answers" ADD CONSTRAINT "reply_answers_tracked_job_id_tracked_jobs_id_fk" FOREIGN KEY ("tracked_job_id") REFERENCES "public"."tracked_jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_answers" ADD CONSTRAINT "reply_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "reply_answers_tracked_job" ON "reply_answers" USING btree ("tracked_job_id");--> statement-breakpoint
CREATE INDEX "reply_answers_user" ON "reply_answers" USING btree ("user_id","at");--> statement-breakpoint
-- A closed account leaves its latest answer about each company as a number, if it counted.
CREATE FUNCTION keep_counted_replies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.email_verified AND OLD.created_at < now() - interval '14 days'
    AND coalesce(OLD.banned_until < now(), true) THEN
    UPDATE reply_answers SET user_id = NULL, tracked_job_id = NULL
    WHERE id IN (
      SELECT DISTINCT ON (company_key) id FROM reply_answers
      WHERE user_id = OLD.id AND outcome <> 'withdrawn'
      ORDER BY company_key, at DESC, id
    );
  END IF;
  RETURN OLD;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER closing_keeps_replies BEFORE DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION keep_counted_replies();

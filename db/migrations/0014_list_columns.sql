-- What the lists are sorted and narrowed by stands in the row that they list, and triggers keep it so:
-- an index then gives a page of any sort without reading the others.
ALTER TABLE "users" ADD COLUMN "highest_role" text DEFAULT 'user' NOT NULL;--> statement-breakpoint
CREATE FUNCTION highest_role_of(person uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT role FROM staff_roles WHERE user_id = person
     ORDER BY array_position(array['god_admin', 'job_board_adder', 'reviewer'], role) LIMIT 1),
    'user')
$$;--> statement-breakpoint
UPDATE "users" SET "highest_role" = highest_role_of("id") WHERE "id" IN (SELECT "user_id" FROM "staff_roles");--> statement-breakpoint
CREATE FUNCTION copy_highest_role() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  person uuid := coalesce(NEW.user_id, OLD.user_id);
BEGIN
  -- Of two roles that are granted at once the second sees the first.
  PERFORM 1 FROM users WHERE id = person FOR NO KEY UPDATE;
  UPDATE users SET highest_role = highest_role_of(person) WHERE id = person;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER highest_role AFTER INSERT OR UPDATE OR DELETE ON staff_roles
FOR EACH ROW EXECUTE FUNCTION copy_highest_role();--> statement-breakpoint
CREATE INDEX "users_highest_role" ON "users" USING btree ("highest_role","email");--> statement-breakpoint
ALTER TABLE "review_assignments" ADD COLUMN "service_type" text;--> statement-breakpoint
ALTER TABLE "review_assignments" ADD COLUMN "review_status" text;--> statement-breakpoint
ALTER TABLE "review_assignments" ADD COLUMN "priority" smallint;--> statement-breakpoint
ALTER TABLE "review_assignments" ADD COLUMN "submitted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "review_assignments" ADD COLUMN "buyer_name" text;--> statement-breakpoint
ALTER TABLE "review_assignments" ADD COLUMN "reviewer_name" text;--> statement-breakpoint
-- Names as they are shown.
CREATE FUNCTION shown_name(person uuid, otherwise text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT nullif(trim(full_name), '') FROM profiles WHERE id = person), otherwise)
$$;--> statement-breakpoint
UPDATE "review_assignments" SET
  "service_type" = review."service_type",
  "review_status" = review."status",
  "priority" = review."priority",
  "submitted_at" = review."created_at",
  "buyer_name" = shown_name(review."user_id", 'Unknown User'),
  "reviewer_name" = shown_name("reviewer_id", 'Unknown')
FROM "service_reviews" AS review WHERE review."id" = "review_id";--> statement-breakpoint
ALTER TABLE "review_assignments" ALTER COLUMN "service_type" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "review_assignments" ALTER COLUMN "review_status" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "review_assignments" ALTER COLUMN "priority" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "review_assignments" ALTER COLUMN "submitted_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "review_assignments" ALTER COLUMN "buyer_name" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "review_assignments" ALTER COLUMN "reviewer_name" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "review_assignments" ADD COLUMN "is_open" boolean GENERATED ALWAYS AS (completed_at is null and review_status <> 'completed') STORED NOT NULL;--> statement-breakpoint
CREATE FUNCTION copy_review_to_assignment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT service_type, status, priority, created_at, shown_name(user_id, 'Unknown User')
  INTO NEW.service_type, NEW.review_status, NEW.priority, NEW.submitted_at, NEW.buyer_name
  FROM service_reviews WHERE id = NEW.review_id;
  NEW.reviewer_name := shown_name(NEW.reviewer_id, 'Unknown');
  RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER copied_review BEFORE INSERT OR UPDATE OF review_id, reviewer_id ON review_assignments
FOR EACH ROW EXECUTE FUNCTION copy_review_to_assignment();--> statement-breakpoint
CREATE FUNCTION copy_change_of_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE review_assignments SET service_type = NEW.service_type, review_status = NEW.status,
    priority = NEW.priority, submitted_at = NEW.created_at, buyer_name = shown_name(NEW.user_id, 'Unknown User')
  WHERE review_id = NEW.id;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER changed_review AFTER UPDATE OF user_id, service_type, status, priority, created_at ON service_reviews
FOR EACH ROW EXECUTE FUNCTION copy_change_of_review();--> statement-breakpoint
-- Only the list of open ones is sorted by name.
CREATE FUNCTION copy_name_to_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  person uuid := coalesce(NEW.id, OLD.id);
BEGIN
  UPDATE review_assignments SET reviewer_name = shown_name(person, 'Unknown')
  WHERE reviewer_id = person AND completed_at IS NULL;
  UPDATE review_assignments SET buyer_name = shown_name(person, 'Unknown User')
  WHERE review_id IN (SELECT id FROM service_reviews WHERE user_id = person) AND completed_at IS NULL;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER changed_name AFTER INSERT OR UPDATE OF full_name OR DELETE ON profiles
FOR EACH ROW EXECUTE FUNCTION copy_name_to_assignments();--> statement-breakpoint
DROP INDEX "review_assignments_reviewer";--> statement-breakpoint
DROP INDEX "review_assignments_open";--> statement-breakpoint
DROP INDEX "review_assignments_completed";--> statement-breakpoint
CREATE INDEX "review_assignments_own" ON "review_assignments" USING btree ("reviewer_id","is_open","assigned_at","id");--> statement-breakpoint
CREATE INDEX "review_assignments_own_urgent" ON "review_assignments" USING btree ("reviewer_id","is_open","priority","assigned_at","id");--> statement-breakpoint
CREATE INDEX "review_assignments_own_patient" ON "review_assignments" USING btree ("reviewer_id","is_open",(-"priority"),"assigned_at","id");--> statement-breakpoint
CREATE INDEX "review_assignments_open_submitted" ON "review_assignments" USING btree ("submitted_at","id") WHERE completed_at is null and review_status = 'under_review';--> statement-breakpoint
CREATE INDEX "review_assignments_open_type" ON "review_assignments" USING btree ("service_type","id") WHERE completed_at is null and review_status = 'under_review';--> statement-breakpoint
CREATE INDEX "review_assignments_open_buyer" ON "review_assignments" USING btree ("buyer_name" collate "und-x-icu","id") WHERE completed_at is null and review_status = 'under_review';--> statement-breakpoint
CREATE INDEX "review_assignments_open_reviewer" ON "review_assignments" USING btree ("reviewer_name" collate "und-x-icu","id") WHERE completed_at is null and review_status = 'under_review';--> statement-breakpoint
CREATE INDEX "review_assignments_open" ON "review_assignments" USING btree ("assigned_at","id") WHERE completed_at is null and review_status = 'under_review';--> statement-breakpoint
CREATE INDEX "review_assignments_completed" ON "review_assignments" USING btree ("completed_at","id") WHERE completed_at is not null and review_status = 'completed';--> statement-breakpoint
DROP INDEX "audit_events_subject";--> statement-breakpoint
CREATE INDEX "audit_events_type" ON "audit_events" USING btree ("subject_type","at","id");--> statement-breakpoint
CREATE INDEX "audit_events_subject" ON "audit_events" USING btree ("subject_id","at","id");--> statement-breakpoint
-- Twice as fast as pairing the letters row by row.
DROP INDEX "jobs_search_short";--> statement-breakpoint
CREATE OR REPLACE FUNCTION letter_pairs(words text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_remove(
    string_to_array(words, null)
      || string_to_array(regexp_replace(words, '(..)', E'\\1\x01', 'g'), E'\x01')
      || string_to_array(regexp_replace(substr(words, 2), '(..)', E'\\1\x01', 'g'), E'\x01'),
    '')
$$;--> statement-breakpoint
CREATE INDEX "jobs_search_short" ON "jobs" USING gin (letter_pairs("search_text"));--> statement-breakpoint
CREATE INDEX "users_email_short" ON "users" USING gin (letter_pairs("email"));

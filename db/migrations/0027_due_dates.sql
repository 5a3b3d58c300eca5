-- Lists of assignments are sorted by when their reviews are due: triggers copy it, as they copy what else
-- those lists are sorted by.
ALTER TABLE "review_assignments" ADD COLUMN "shown_due_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "review_assignments" SET "shown_due_at" = coalesce(review."extended_to", review."due_at")
FROM "service_reviews" AS review
WHERE review."id" = "review_id" AND coalesce(review."extended_to", review."due_at") IS NOT NULL;--> statement-breakpoint
CREATE FUNCTION copy_due_date_to_assignment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT coalesce(extended_to, due_at) INTO NEW.shown_due_at FROM service_reviews WHERE id = NEW.review_id;
  RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER copied_due_date BEFORE INSERT OR UPDATE OF review_id ON review_assignments
FOR EACH ROW EXECUTE FUNCTION copy_due_date_to_assignment();--> statement-breakpoint
CREATE FUNCTION copy_change_of_due_date() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE review_assignments SET shown_due_at = coalesce(NEW.extended_to, NEW.due_at) WHERE review_id = NEW.id;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER changed_due_date AFTER UPDATE OF due_at, extended_to ON service_reviews
FOR EACH ROW EXECUTE FUNCTION copy_change_of_due_date();--> statement-breakpoint
CREATE INDEX "review_assignments_own_due" ON "review_assignments" USING btree ("reviewer_id","is_open",coalesce("shown_due_at", '9999-12-31T00:00:00Z'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "review_assignments_open_due" ON "review_assignments" USING btree (coalesce("shown_due_at", '9999-12-31T00:00:00Z'::timestamptz),"id") WHERE completed_at is null and review_status = 'under_review';--> statement-breakpoint
CREATE INDEX "service_reviews_due" ON "service_reviews" USING btree ("status",coalesce(coalesce("extended_to", "due_at"), '9999-12-31T00:00:00Z'::timestamptz),"id") WHERE status <> 'completed';
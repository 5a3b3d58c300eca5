CREATE TABLE "review_days" (
	"day" date NOT NULL,
	"hours" integer NOT NULL,
	"completed" integer NOT NULL,
	"on_time" integer NOT NULL,
	CONSTRAINT "review_days_day_hours_pk" PRIMARY KEY("day","hours")
);
--> statement-breakpoint
CREATE FUNCTION counted_due_date(review service_reviews) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN review.status = 'completed' AND review.withdrawn_at IS NULL THEN review.due_at END
$$;--> statement-breakpoint
-- Also stops changes of reviews until this migration ends. Commands lock reviews before assignments too.
CREATE OR REPLACE TRIGGER changed_review
AFTER UPDATE OF user_id, service_type, status, priority, created_at, due_at, extended_to, withdrawn_at ON service_reviews
FOR EACH ROW EXECUTE FUNCTION copy_change_of_review();--> statement-breakpoint
ALTER TABLE "review_assignments" ADD COLUMN "counted_due_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE OR REPLACE FUNCTION copy_review_to_assignment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT service_type, status, priority, created_at, coalesce(extended_to, due_at), counted_due_date(service_reviews),
    shown_name(user_id, 'Unknown User')
  INTO NEW.service_type, NEW.review_status, NEW.priority, NEW.submitted_at, NEW.shown_due_at, NEW.counted_due_at,
    NEW.buyer_name
  FROM service_reviews WHERE id = NEW.review_id;
  NEW.reviewer_name := shown_name(NEW.reviewer_id, 'Unknown');
  RETURN NEW;
END
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION copy_change_of_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE review_assignments SET service_type = NEW.service_type, review_status = NEW.status,
    priority = NEW.priority, submitted_at = NEW.created_at, shown_due_at = coalesce(NEW.extended_to, NEW.due_at),
    counted_due_at = counted_due_date(NEW), buyer_name = shown_name(NEW.user_id, 'Unknown User')
  WHERE review_id = NEW.id;
  RETURN NULL;
END
$$;--> statement-breakpoint
UPDATE review_assignments SET counted_due_at = counted_due_date(service_reviews)
FROM service_reviews
WHERE service_reviews.id = review_id AND counted_due_date(service_reviews) IS NOT NULL;--> statement-breakpoint
-- The row of review_days for one review, or none for a review that no figure counts.
CREATE FUNCTION review_day_of(done review_assignments) RETURNS SETOF review_days LANGUAGE sql STABLE AS $$
  SELECT (done.completed_at AT TIME ZONE 'Asia/Kolkata')::date,
    ceil(extract(epoch FROM done.completed_at - done.submitted_at) / 3600)::integer,
    1, (done.completed_at <= done.counted_due_at)::integer
  WHERE done.completed_at IS NOT NULL AND done.counted_due_at IS NOT NULL
$$;--> statement-breakpoint
-- Counts all reviews again.
CREATE FUNCTION recount_review_days() RETURNS void LANGUAGE sql AS $$
  DELETE FROM review_days;
  INSERT INTO review_days
  SELECT day, hours, sum(completed), sum(on_time)
  FROM review_assignments, review_day_of(review_assignments) GROUP BY day, hours;
$$;--> statement-breakpoint
SELECT recount_review_days();--> statement-breakpoint
CREATE FUNCTION add_to_review_days(done review_assignments, change integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO review_days
  SELECT day, hours, change * completed, change * on_time FROM review_day_of(done)
  ON CONFLICT (day, hours) DO UPDATE SET
    completed = review_days.completed + excluded.completed, on_time = review_days.on_time + excluded.on_time
$$;--> statement-breakpoint
CREATE FUNCTION count_review_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM add_to_review_days(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM add_to_review_days(NEW, 1); END IF;
  RETURN NULL;
END
$$;--> statement-breakpoint
-- They run as a transaction commits, so that it waits for nothing else while others wait for its day.
CREATE CONSTRAINT TRIGGER counted_review AFTER INSERT OR DELETE ON review_assignments
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_review_days();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER recounted_review AFTER UPDATE ON review_assignments
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (
  (OLD.completed_at, OLD.submitted_at, OLD.counted_due_at)
  IS DISTINCT FROM (NEW.completed_at, NEW.submitted_at, NEW.counted_due_at)
) EXECUTE FUNCTION count_review_days();

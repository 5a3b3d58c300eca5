ALTER TABLE "reviewer_profiles" ADD COLUMN "public_at" timestamp (3) with time zone;--> statement-breakpoint
-- The services page names reviewers. These changes empty the page cache of every process, like a change of a job.
CREATE TRIGGER public_reviewers_changed AFTER INSERT OR UPDATE OR DELETE ON reviewer_profiles
FOR EACH STATEMENT EXECUTE FUNCTION tell_jobs_changed();--> statement-breakpoint
CREATE TRIGGER public_reviewers_changed AFTER INSERT OR DELETE ON staff_roles
FOR EACH STATEMENT EXECUTE FUNCTION tell_jobs_changed();--> statement-breakpoint
CREATE TRIGGER public_reviewers_changed AFTER UPDATE OF banned_until ON users
FOR EACH STATEMENT EXECUTE FUNCTION tell_jobs_changed();

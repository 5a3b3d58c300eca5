-- Tells every process that what the public board shows has changed.
CREATE FUNCTION tell_jobs_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('jobs_changed', '');
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER jobs_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON jobs
FOR EACH STATEMENT EXECUTE FUNCTION tell_jobs_changed();

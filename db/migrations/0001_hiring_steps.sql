-- Every old listing is without a stated test task. Only writers wait for this update, since the lock of the changes of the
-- table comes after it.
LOCK TABLE jobs IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
UPDATE jobs SET facets = facets || 49;--> statement-breakpoint
ALTER TABLE "jobs" DROP CONSTRAINT "jobs_details_valid";--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "rounds" smallint;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "test_task" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "test_task_hours" smallint;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "answer_days" smallint;--> statement-breakpoint
-- NOT VALID, since the start checks old rows without blocking others.
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_details_valid" CHECK (
  discipline in ('product', 'ux', 'ui', 'research', 'content', 'graphic', 'brand', 'motion', 'illustration', 'industrial', 'fashion', 'spatial', 'game', 'other')
  and work_mode in ('on-site', 'hybrid', 'remote')
  and cardinality(place_ids) <= 5
  and cardinality(applicant_place_ids) <= 5
  and cardinality(skill_ids) <= 10
  and experience_min between 0 and 40 and experience_max between 0 and 40
  and experience_min <= experience_max
  and pay_min between 0 and 100000000 and pay_max between 0 and 100000000 and pay_min <= pay_max
  and pay_variable between 0 and 100000000
  and pay_period in ('year', 'month', 'week', 'day', 'hour', 'project')
  and (pay_period is not null or coalesce(pay_min, pay_max, pay_variable) is null)
  and (job_type = 'Internship' or coalesce(pay_min, 1) > 0 and coalesce(pay_max, 1) > 0)
  and pay_currency ~ '^[A-Z]{3}$'
  and rounds between 1 and 10
  and test_task in ('none', 'unpaid', 'paid')
  and test_task_hours between 1 and 80
  and (test_task_hours is null or coalesce(test_task, 'none') <> 'none')
  and answer_days between 1 and 60) NOT VALID;--> statement-breakpoint
CREATE OR REPLACE FUNCTION set_job_facets() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  pay_top bigint := coalesce(NEW.pay_max, NEW.pay_min);
  yearly bigint := CASE WHEN NEW.pay_currency = 'INR' THEN pay_top * CASE NEW.pay_period
    WHEN 'year' THEN 1 WHEN 'month' THEN 12 WHEN 'week' THEN 52 WHEN 'day' THEN 260 WHEN 'hour' THEN 2080 END END;
BEGIN
  NEW.pay_year := least(coalesce(yearly, 0), 2147483647);
  NEW.facets := array_cat(ARRAY(
    SELECT 0 + position FROM unnest(ARRAY['Full-time', 'Part-time', 'Internship'])
      WITH ORDINALITY AS types (value, position) WHERE value = NEW.job_type
    UNION ALL
    SELECT 10 + position FROM unnest(ARRAY['product', 'ux', 'ui', 'research', 'content', 'graphic', 'brand', 'motion',
      'illustration', 'industrial', 'fashion', 'spatial', 'game', 'other'])
      WITH ORDINALITY AS disciplines (value, position) WHERE value = NEW.discipline
    UNION ALL
    SELECT 29 WHERE NEW.discipline IS NULL
    UNION ALL
    SELECT 30 + position FROM unnest(ARRAY['on-site', 'hybrid', 'remote'])
      WITH ORDINALITY AS modes (value, position) WHERE value = NEW.work_mode
    UNION ALL
    SELECT 39 WHERE NEW.work_mode IS NULL
    UNION ALL
    SELECT 41 WHERE NEW.test_task IN ('none', 'paid')
    UNION ALL
    SELECT 49 WHERE NEW.test_task IS NULL
    UNION ALL
    SELECT 99 WHERE NEW.place_ids = '{}' AND NEW.applicant_place_ids = '{}'
    UNION ALL
    SELECT 100 + id FROM unnest(NEW.skill_ids) AS skills (id)
    UNION ALL
    SELECT 199 WHERE NEW.skill_ids = '{}'
    UNION ALL
    SELECT 200 + years FROM generate_series(coalesce(NEW.experience_min, 0), coalesce(NEW.experience_max, 40))
      AS experience (years) WHERE coalesce(NEW.experience_min, NEW.experience_max) IS NOT NULL
    UNION ALL
    SELECT 299 WHERE coalesce(NEW.experience_min, NEW.experience_max) IS NULL
    UNION ALL
    SELECT 300 + position FROM unnest(ARRAY[120000, 300000, 600000, 1000000, 1500000, 2000000, 3000000, 5000000])
      WITH ORDINALITY AS levels (amount, position) WHERE yearly >= amount
    UNION ALL
    SELECT 398 WHERE pay_top IS NOT NULL AND yearly IS NULL
    UNION ALL
    SELECT 399 WHERE pay_top IS NULL
  ), CASE WHEN NEW.place_ids <> '{}' OR NEW.applicant_place_ids <> '{}' THEN ARRAY(
    WITH RECURSIVE areas (base, id) AS (
      SELECT 100000000, id FROM unnest(NEW.place_ids) AS work (id)
      UNION
      SELECT 300000000, id FROM unnest(NEW.applicant_place_ids) AS homes (id) WHERE id > 0
      UNION
      SELECT base, parent FROM areas JOIN places USING (id) WHERE parent IS NOT NULL
    )
    SELECT DISTINCT base + id FROM areas
    UNION ALL
    SELECT DISTINCT 200000000 + id FROM unnest(NEW.applicant_place_ids) AS homes (id)
  ) ELSE '{}' END);
  RETURN NEW;
END
$$;--> statement-breakpoint
CREATE OR REPLACE TRIGGER jobs_facets BEFORE INSERT OR UPDATE OF job_type, discipline, work_mode, place_ids, applicant_place_ids,
  experience_min, experience_max, skill_ids, pay_min, pay_max, pay_period, pay_currency, test_task ON jobs
  FOR EACH ROW EXECUTE FUNCTION set_job_facets();

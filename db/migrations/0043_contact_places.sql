CREATE TABLE "contact_places" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"field" text NOT NULL,
	"job_id" uuid,
	"person" jsonb NOT NULL,
	"was_archived" boolean,
	"archived_reason" text,
	"found_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contact_places_kind_known" CHECK ("contact_places"."kind" in ('listing', 'report', 'message', 'answer'))
);
--> statement-breakpoint
ALTER TABLE "jobs" DROP CONSTRAINT "jobs_archived_reason_known";--> statement-breakpoint
ALTER TABLE "contact_places" ADD CONSTRAINT "contact_places_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_places_found" ON "contact_places" USING btree ("found_at","id");--> statement-breakpoint
CREATE INDEX "contact_places_subject" ON "contact_places" USING btree ("subject_id","kind");--> statement-breakpoint
CREATE INDEX "contact_places_job" ON "contact_places" USING btree ("job_id") WHERE job_id is not null;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_archived_reason_known" CHECK ("jobs"."archived_reason" in ('closed', 'filled', 'date', 'unanswered', 'withdrawn', 'reported', 'gone', 'named')) NOT VALID;--> statement-breakpoint
-- A text without codes for its characters, as in addresses of pages (%40) and in HTML (&#64;). Only ASCII is decoded.
CREATE FUNCTION decoded_text(words text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
DECLARE
  code text;
  plain text := normalize(words, NFKC);
BEGIN
  IF plain !~ '%[2-7][0-9A-Fa-f]|&#|&commat;|&period;' THEN
    RETURN plain;
  END IF;
  plain := replace(replace(plain, '&commat;', '@'), '&period;', '.');
  FOR code IN SELECT DISTINCT match[1] FROM regexp_matches(plain, '&#0*([0-9]{2,3})(?![0-9])', 'g') AS match ORDER BY 1 LOOP
    CONTINUE WHEN code::integer NOT BETWEEN 32 AND 126;
    plain := regexp_replace(plain, '&#0*' || code || '(?:;|(?![0-9]))', replace(chr(code::integer), '\', '\\'), 'g');
  END LOOP;
  FOR code IN SELECT DISTINCT match[1] FROM regexp_matches(plain, '&#[xX]0*([2-7][0-9A-Fa-f])(?![0-9A-Fa-f])', 'g') AS match ORDER BY 1 LOOP
    plain := regexp_replace(plain, '&#[xX]0*' || code || '(?:;|(?![0-9A-Fa-f]))',
      replace(chr(('x' || code)::bit(8)::integer), '\', '\\'), 'g');
  END LOOP;
  FOR code IN SELECT DISTINCT match[1] FROM regexp_matches(plain, '%([2-7][0-9A-Fa-f])', 'g') AS match ORDER BY 1 LOOP
    plain := replace(plain, '%' || code, chr(('x' || code)::bit(8)::integer));
  END LOOP;
  RETURN CASE WHEN plain = normalize(words, NFKC) THEN plain ELSE public.decoded_text(plain) END;
END;
$$;--> statement-breakpoint
-- The addresses in a text, and every ten digits that may be the end of a phone number. Names are qualified, since indexes
-- are built without a search path.
CREATE FUNCTION contacts_in(words text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
  SELECT public.emails_in(plain) || ARRAY(
    SELECT DISTINCT substr(digits, start, 10)
    FROM regexp_matches(plain, '[0-9](?:[ .()‐‑–-]{0,2}[0-9]){7,39}', 'g') AS found (match),
      LATERAL (SELECT regexp_replace(match[1], '[^0-9]', '', 'g') AS digits) AS number,
      LATERAL generate_series(1, greatest(length(digits) - 9, 1)) AS start
  ) FROM (SELECT translate(public.decoded_text(words),
    '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯੦੧੨੩੪੫੬੭੮੯૦૧૨૩૪૫૬૭૮૯୦୧୨୩୪୫୬୭୮୯௦௧௨௩௪௫௬௭௮௯౦౧౨౩౪౫౬౭౮౯೦೧೨೩೪೫೬೭೮೯൦൧൨൩൪൫൬൭൮൯',
    repeat('0123456789', 11)) AS plain) AS decoded
$$;

-- The form in which texts are compared and searched; app/platform/text.ts says what is folded, and has the same
-- function. Patterns that match rarely are cheap: nothing is done to a text at each of its letters but
-- normalizing it. Compatibility letters come before lower case, and what both leave alone after it.
CREATE FUNCTION search_form(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(regexp_replace(
    regexp_replace(regexp_replace(regexp_replace(
      replace(lower(replace(
        normalize(regexp_replace(regexp_replace(words, '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+', '', 'g'), '[´`]', '''', 'g'), NFKC),
      'İ', 'i')), 'ς', 'σ'),
    '[‐‑‒–—―−]', '-', 'g'), '[‘’‚‛′ʼ]', '''', 'g'), '[“”„‟″«»]', '"', 'g'),
  '[\t-\r\x1c-\x1f\u0085\u1680\u2028\u2029\u2800]+', ' ', 'g'), ' {2,}', ' ', 'g')
$$;--> statement-breakpoint
-- What is looked for, as a pattern for LIKE. Letters that LIKE takes for its own may come of folding.
CREATE FUNCTION search_pattern(letters text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '%' || regexp_replace(search_form(letters), '([\\%_])', '\\\1', 'g') || '%'
$$;--> statement-breakpoint
-- Cleans what people typed and pasted until now as forms clean it from now on, and is gone afterwards.
CREATE FUNCTION clean_former_text(words text, is_line boolean) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  words := regexp_replace(words, '\r\n?|[\v\f\u0085\u2028\u2029]', E'\n', 'g');
  words := regexp_replace(words, '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]+', '', 'g');
  -- Joiners shape letters of Arabic and Indic scripts and join emoji; selectors choose how emoji and Han look.
  words := regexp_replace(words, '(?<![\u0590-\u10ff\u1200-\u1cff\ua840-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff\u00a9\u00ae\u203c-\u3299\ufe0f\U0001f000-\U0001faff])[\u200c\u200d]+', '', 'g');
  words := regexp_replace(words, '(?<![0-9#*\u00a9\u00ae\u203c-\u3299\ufe0f\U0001f000-\U0001faff\u1000-\u109f\u3400-\u9fff\ua840-\ua87f\U00020000-\U0003ffff])[\ufe00-\ufe0f\U000e0100-\U000e01ef]+', '', 'g');
  words := regexp_replace(words, '(?<![\u1820-\u18aa])[\u180b-\u180f]+', '', 'g');
  IF strpos(words, U&'\+01F3F4') = 0 THEN
    words := regexp_replace(words, '[\U000e0000-\U000e007f]+', '', 'g');
  END IF;
  words := regexp_replace(words, '[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]', ' ', 'g');
  IF is_line THEN
    words := regexp_replace(words, '[\x01-\x1f\x7f-\x9f]+', ' ', 'g');
  END IF;
  -- Other bytes are another web address.
  IF strpos(words, '://') = 0 THEN
    words := normalize(words, NFC);
  END IF;
  RETURN btrim(words, E' \n\t');
END
$$;--> statement-breakpoint
DO $$
DECLARE
  typed record;
BEGIN
  FOR typed IN SELECT * FROM (VALUES
    ('users', 'name', true),
    ('profiles', 'full_name', true),
    ('one_time_links', 'full_name', true),
    ('passkeys', 'name', true),
    ('jobs', 'title', true),
    ('jobs', 'company', true),
    ('jobs', 'location', true),
    ('jobs', 'compensation', true),
    ('jobs', 'description', false),
    ('jobs', 'large_description', false),
    ('jobs', 'poc_name', true),
    ('jobs', 'poc_contact', true),
    ('jobs', 'portal_application_link', true),
    ('jobs', 'direct_application_link', true),
    ('contact_messages', 'name', true),
    ('contact_messages', 'subject', true),
    ('contact_messages', 'message', false),
    ('contact_messages', 'note', false),
    ('contact_answers', 'answer', false),
    ('service_reviews', 'reviewer_feedback', false),
    ('review_images', 'annotation', false),
    ('review_files', 'description', false),
    ('review_briefs', 'role', true),
    ('review_briefs', 'company', true),
    ('review_questions', 'question', false),
    ('review_questions', 'answer', false),
    ('review_ratings', 'words', false),
    ('review_remarks', 'text', false),
    ('review_remarks', 'quote', false),
    ('review_remarks', 'suggestion', false),
    ('reviewer_phrases', 'text', false),
    ('reviewer_profiles', 'first_name', true),
    ('reviewer_profiles', 'field', true),
    ('reviewer_profiles', 'about', true),
    ('refunds', 'reason', false),
    ('refunds', 'answer', false)
  ) AS typed ("table", "column", is_line) LOOP
    EXECUTE format(
      'UPDATE %1$I SET %2$I = clean_former_text(%2$I, %3$L)
      WHERE (%2$I ~ %4$L OR octet_length(%2$I) > length(%2$I) AND %2$I IS NOT NFC NORMALIZED)
        AND clean_former_text(%2$I, %3$L) NOT IN (%2$I, '''')',
      typed."table", typed."column", typed.is_line, '[\r\v\f\u0085\u2028\u2029\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]');
  END LOOP;
END
$$;--> statement-breakpoint
DROP FUNCTION clean_former_text(text, boolean);--> statement-breakpoint
DROP INDEX "profiles_name_parts";--> statement-breakpoint
DROP INDEX "profiles_name_short";--> statement-breakpoint
-- Under the same names, so that the former version goes on searching while it still runs.
ALTER TABLE "jobs" DROP COLUMN "search_text";--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "search_text" text GENERATED ALWAYS AS (search_form(title) || E'\n' || search_form(company) || E'\n' || search_form(description)) STORED;--> statement-breakpoint
ALTER TABLE "contact_messages" DROP COLUMN "search_text";--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "search_text" text GENERATED ALWAYS AS (search_form(ticket || ' ' || name || ' ' || email || ' ' || subject)) STORED;--> statement-breakpoint
CREATE INDEX "jobs_search" ON "jobs" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "jobs_search_short" ON "jobs" USING gin (pairs_in("search_text"));--> statement-breakpoint
CREATE INDEX "contact_messages_search" ON "contact_messages" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contact_messages_short" ON "contact_messages" USING gin (pairs_in("search_text"));--> statement-breakpoint
CREATE INDEX "profiles_name_parts" ON "profiles" USING gin (search_form("full_name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "profiles_name_short" ON "profiles" USING gin (pairs_in(search_form("full_name")));

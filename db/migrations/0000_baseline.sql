-- Trigrams make a search for any part of a word an index look-up.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
-- The form in which texts are compared and searched. app/platform/text/text.ts has the same function and says what is
-- folded. Patterns that rarely match are cheap, since they only search the text; NFKC comes before lower case.
CREATE FUNCTION search_form(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(regexp_replace(
    regexp_replace(regexp_replace(regexp_replace(
      replace(lower(replace(
        normalize(regexp_replace(regexp_replace(words, '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+', '', 'g'), '[´`]', '''', 'g'), NFKC),
      'İ', 'i')), 'ς', 'σ'),
    '[‐‑‒–—―−]', '-', 'g'), '[‘’‚‛′ʼ]', '''', 'g'), '[“”„‟″«»]', '"', 'g'),
  '[\t-\r\x1c-\x1f\u0085\u1680\u2028\u2029\u2800]+', ' ', 'g'), ' {2,}', ' ', 'g')
$$;--> statement-breakpoint
-- A search as a pattern for LIKE. Folding can produce the characters that LIKE reads specially.
CREATE FUNCTION search_pattern(letters text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '%' || regexp_replace(search_form(letters), '([\\%_])', '\\\1', 'g') || '%'
$$;--> statement-breakpoint
-- The pairs of neighbouring characters in a text, and its last character, for searches of one or two characters.
-- Lexemes are sorted by their bytes and unique, so their index is made in two fifths of the time of an array's.
CREATE FUNCTION pairs_in(words text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_to_tsvector(string_to_array(
    regexp_replace(translate(words, E'\x01', ''), '.', E'\\&\x01\\&', 'g'),
    E'\x01'))
$$;--> statement-breakpoint
-- All pairs of a search; for a single character, the pairs that begin with it.
CREATE FUNCTION pairs_sought(letters text) RETURNS tsquery LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT string_agg(
    '''' || regexp_replace(pair, '([\\''])', '\1\1', 'g') || '''' || CASE length(letters) WHEN 1 THEN ':*' ELSE '' END,
    ' & ')::tsquery
  FROM unnest(tsvector_to_array(pairs_in(letters))) AS pairs (pair)
  WHERE length(pair) = 2 OR length(letters) = 1
$$;--> statement-breakpoint
-- The email addresses in a text, in lower case.
CREATE FUNCTION emails_in(words text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN strpos(words, '@') = 0 THEN '{}' ELSE ARRAY(
    SELECT DISTINCT btrim(match[1], '.''`*!_-')
    FROM regexp_matches(
      lower(words), '([^\s<>()[\]{},;:|/\\"“”„‘’«»–—?=&@]+@[^\s<>()[\]{},;:|/\\"“”„‘’«»–—?=&@]+)', 'g') AS matches (match)
  ) END
$$;--> statement-breakpoint
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
$$;--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_id" uuid,
	"actor_name" text NOT NULL,
	"event" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	CONSTRAINT "audit_events_event_named" CHECK (length("audit_events"."event") > 0)
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"is_asked_for" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "milestones" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "rate_limits" (
	"key" text NOT NULL,
	"window_start" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "rate_limits_key_window_start_pk" PRIMARY KEY("key","window_start")
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"password" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "authenticators" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"sealed_secret" "bytea" NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chosen_mails" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"choice" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"notified_until" timestamp (3) with time zone,
	CONSTRAINT "chosen_mails_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
CREATE TABLE "half_sign_ins" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "held_forms" (
	"id" text PRIMARY KEY NOT NULL,
	"path" text NOT NULL,
	"sealed" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "one_time_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	"full_name" text,
	"password_hash" text,
	"next" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"full_name" text,
	"phone" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"is_subscribed" boolean DEFAULT false NOT NULL,
	"subscription_ends_at" timestamp (3) with time zone,
	"subscription_id" text,
	"is_recurring" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"proved_at" timestamp (3) with time zone,
	"ip_address" text,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "spent_challenges" (
	"challenge_hash" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff_roles" (
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "staff_roles_user_id_role_pk" PRIMARY KEY("user_id","role"),
	CONSTRAINT "staff_roles_known" CHECK ("staff_roles"."role" in ('god_admin', 'job_board_adder', 'reviewer'))
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"banned_until" timestamp (3) with time zone,
	"first_sign_in_at" timestamp (3) with time zone,
	"highest_role" text DEFAULT 'user' NOT NULL,
	CONSTRAINT "users_email_lower_case" CHECK ("users"."email" = lower("users"."email"))
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"email" text,
	"email_hash" text,
	"purpose" text NOT NULL,
	"notice_version" text NOT NULL,
	"given_at" timestamp (3) with time zone NOT NULL,
	"withdrawn_at" timestamp (3) with time zone,
	"how" text NOT NULL,
	CONSTRAINT "consents_one_person" CHECK (num_nonnulls("consents"."user_id", "consents"."email", "consents"."email_hash") = 1),
	CONSTRAINT "consents_email_lower_case" CHECK ("consents"."email" = lower("consents"."email")),
	CONSTRAINT "consents_purpose_known" CHECK ("consents"."purpose" in ('account', 'adult', 'mails', 'alerts', 'contact', 'share', 'sample')),
	CONSTRAINT "consents_how_known" CHECK ("consents"."how" in ('sign-up', 'profile', 'share', 'notice', 'check', 'alert'))
);
--> statement-breakpoint
CREATE TABLE "stored_files" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"bucket" text NOT NULL,
	"path" text NOT NULL,
	"uploaded_by" uuid,
	"original_name" text NOT NULL,
	"mime_type" text NOT NULL,
	"size" bigint NOT NULL,
	"showable" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stored_files_bucket_known" CHECK ("stored_files"."bucket" in ('resumes', 'portfolios', 'review-images', 'review-files'))
);
--> statement-breakpoint
CREATE TABLE "board_counts" (
	"facet" integer PRIMARY KEY NOT NULL,
	"jobs" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_checks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"job_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"actor_id" uuid,
	"result" text NOT NULL,
	CONSTRAINT "job_checks_kind_known" CHECK ("job_checks"."kind" in ('staff', 'contact', 'company', 'feed')),
	CONSTRAINT "job_checks_result_known" CHECK ("job_checks"."result" in ('open', 'filled', 'closed'))
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"title" text NOT NULL,
	"company" text NOT NULL,
	"location" text NOT NULL,
	"job_type" text NOT NULL,
	"compensation" text,
	"description" text NOT NULL,
	"large_description" text,
	"poc_name" text,
	"poc_contact" text,
	"portal_application_link" text,
	"direct_application_link" text,
	"created_by" uuid,
	"posted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone,
	"is_archived" boolean DEFAULT false NOT NULL,
	"discipline" text,
	"work_mode" text,
	"place_ids" integer[] DEFAULT '{}' NOT NULL,
	"applicant_place_ids" integer[] DEFAULT '{}' NOT NULL,
	"experience_min" smallint,
	"experience_max" smallint,
	"skill_ids" smallint[] DEFAULT '{}' NOT NULL,
	"pay_min" integer,
	"pay_max" integer,
	"pay_variable" integer,
	"pay_period" text,
	"pay_currency" text DEFAULT 'INR' NOT NULL,
	"facets" integer[] DEFAULT '{}' NOT NULL,
	"pay_year" integer DEFAULT 0 NOT NULL,
	"reported_at" timestamp (3) with time zone,
	"closes_on" date,
	"check_email" text,
	"checked_at" timestamp (3) with time zone,
	"check_due_at" timestamp (3) with time zone DEFAULT now() + interval '14 days' NOT NULL,
	"lapses" boolean DEFAULT false NOT NULL,
	"follows_removal" boolean DEFAULT false NOT NULL,
	"live_until" timestamp (3) with time zone,
	"published_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"archived_reason" text,
	"search_text" text GENERATED ALWAYS AS (search_form(title) || E'\n' || search_form(company) || E'\n' || search_form(description)) STORED,
	CONSTRAINT "jobs_type_known" CHECK ("jobs"."job_type" in ('Full-time', 'Part-time', 'Internship')),
	CONSTRAINT "jobs_details_valid" CHECK (
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
  and pay_currency ~ '^[A-Z]{3}$'),
	CONSTRAINT "jobs_archived_reason_known" CHECK ("jobs"."archived_reason" in ('closed', 'filled', 'date', 'unanswered', 'withdrawn', 'reported', 'gone', 'named'))
);
--> statement-breakpoint
CREATE TABLE "stopped_contacts" (
	"email_hash" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stopped_contacts_reason_known" CHECK ("stopped_contacts"."reason" in ('withdrawn', 'bounced'))
);
--> statement-breakpoint
CREATE TABLE "places" (
	"id" integer PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"parent" integer,
	"country" text NOT NULL,
	"north" double precision,
	"east" double precision,
	CONSTRAINT "places_slug" UNIQUE("slug"),
	CONSTRAINT "places_kind_known" CHECK ("places"."kind" in ('city', 'state', 'country')),
	CONSTRAINT "places_id_range" CHECK ("places"."id" between 1 and 89999999),
	CONSTRAINT "places_parent_known" CHECK (("places"."parent" is null) = ("places"."kind" = 'country'))
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"cause" text NOT NULL,
	"recipient" text NOT NULL,
	"reply_to" text,
	"subject" text NOT NULL,
	"html" text NOT NULL,
	"text" text NOT NULL,
	"headers" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"leased_until" timestamp (3) with time zone,
	"given_up_at" timestamp (3) with time zone,
	"dropped_at" timestamp (3) with time zone,
	"state" text GENERATED ALWAYS AS (case when sent_at is not null then 'sent' when dropped_at is not null then 'dropped' when given_up_at is not null then 'given-up' when attempts > 0 then 'failing' else 'waiting' end) STORED
);
--> statement-breakpoint
CREATE TABLE "order_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"source" text NOT NULL,
	"said" text NOT NULL,
	"outcome" text NOT NULL,
	"detail" jsonb
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"order_id" text PRIMARY KEY NOT NULL,
	"buyer_id" uuid,
	"amount" text NOT NULL,
	"amount_paise" integer GENERATED ALWAYS AS (case when amount ~ '^\d{1,7}(\.\d{1,2})?$' then (amount::numeric * 100)::integer else 0 end) STORED,
	"status" text NOT NULL,
	"purpose" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"provider_payment_id" text,
	"captured_paise" integer,
	"checkout_fields" jsonb NOT NULL,
	"retry_path" text,
	"checks" integer DEFAULT 0 NOT NULL,
	"last_checked_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"concern" text,
	"looked_into_at" timestamp (3) with time zone,
	CONSTRAINT "orders_status_known" CHECK ("orders"."status" in ('pending', 'success', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" text NOT NULL,
	"token" text NOT NULL,
	"payment_id" text NOT NULL,
	"amount_paise" integer NOT NULL,
	"grounds" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"answer" text,
	"asked_by" uuid,
	"decided_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"request_id" text,
	"ended_at" timestamp (3) with time zone,
	"failure" text,
	"checks" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp (3) with time zone,
	CONSTRAINT "refunds_token_unique" UNIQUE("token"),
	CONSTRAINT "refunds_amount_positive" CHECK ("refunds"."amount_paise" > 0),
	CONSTRAINT "refunds_token_length" CHECK (length("refunds"."token") between 1 and 23),
	CONSTRAINT "refunds_state_known" CHECK ("refunds"."state" in ('asked', 'approved', 'sent', 'settled', 'failed', 'declined'))
);
--> statement-breakpoint
CREATE TABLE "review_assignments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"review_id" uuid NOT NULL,
	"reviewer_id" uuid NOT NULL,
	"assigned_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"draft_feedback" text,
	"draft_saved_at" timestamp (3) with time zone,
	"service_type" text NOT NULL,
	"review_status" text NOT NULL,
	"priority" smallint NOT NULL,
	"submitted_at" timestamp (3) with time zone NOT NULL,
	"shown_due_at" timestamp (3) with time zone,
	"buyer_name" text NOT NULL,
	"reviewer_name" text NOT NULL,
	"is_open" boolean GENERATED ALWAYS AS (completed_at is null and review_status <> 'completed') STORED NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_briefs" (
	"review_id" uuid PRIMARY KEY NOT NULL,
	"role" text,
	"company" text,
	"years" smallint
);
--> statement-breakpoint
CREATE TABLE "review_drafts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"service_type" text NOT NULL,
	"resume_file_id" uuid,
	"portfolio_file_id" uuid,
	"portfolio_url" text,
	"portfolio_seen_at" timestamp (3) with time zone,
	"brief" jsonb,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_files" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"review_id" uuid NOT NULL,
	"file_url" text NOT NULL,
	"file_name" text NOT NULL,
	"file_type" text NOT NULL,
	"description" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_images" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"review_id" uuid NOT NULL,
	"image_url" text NOT NULL,
	"annotation" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_orders" (
	"order_id" text PRIMARY KEY NOT NULL,
	"draft_id" uuid NOT NULL,
	"draft_revision" integer NOT NULL,
	"service_type" text NOT NULL,
	"resume_file_path" text,
	"portfolio_url" text,
	"portfolio_file_path" text,
	"brief" jsonb,
	CONSTRAINT "review_orders_type_known" CHECK ("review_orders"."service_type" in ('resume_review', 'portfolio_review', 'combined_review'))
);
--> statement-breakpoint
CREATE TABLE "review_questions" (
	"review_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"question" text NOT NULL,
	"answer" text,
	"answered_at" timestamp (3) with time zone,
	CONSTRAINT "review_questions_review_id_position_pk" PRIMARY KEY("review_id","position"),
	CONSTRAINT "review_questions_position" CHECK ("review_questions"."position" between 1 and 3)
);
--> statement-breakpoint
CREATE TABLE "review_ratings" (
	"review_id" uuid PRIMARY KEY NOT NULL,
	"rating" smallint NOT NULL,
	"words" text,
	"rated_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone,
	CONSTRAINT "review_ratings_range" CHECK ("review_ratings"."rating" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "reviewer_availability" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"away_until" date,
	"reviews_a_day" smallint,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reviewer_availability_reviews_a_day" CHECK ("reviewer_availability"."reviews_a_day" between 1 and 50)
);
--> statement-breakpoint
CREATE TABLE "reviewer_profiles" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"first_name" text NOT NULL,
	"field" text NOT NULL,
	"about" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"hidden_at" timestamp (3) with time zone,
	"public_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "service_reviews" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"order_id" text,
	"service_type" text NOT NULL,
	"status" text NOT NULL,
	"resume_file_path" text,
	"portfolio_url" text,
	"portfolio_file_path" text,
	"reviewer_feedback" text,
	"priority" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	"extended_to" timestamp (3) with time zone,
	"withdrawn_at" timestamp (3) with time zone,
	"search_text" text NOT NULL,
	CONSTRAINT "service_reviews_status_known" CHECK ("service_reviews"."status" in ('pending', 'under_review', 'completed')),
	CONSTRAINT "service_reviews_type_known" CHECK ("service_reviews"."service_type" in ('resume_review', 'portfolio_review', 'combined_review')),
	CONSTRAINT "service_reviews_priority_range" CHECK ("service_reviews"."priority" between 0 and 3)
);
--> statement-breakpoint
CREATE TABLE "rendered_files" (
	"file_id" uuid NOT NULL,
	"renderer" smallint NOT NULL,
	"state" text NOT NULL,
	"page_count" integer,
	"problem" text,
	"tries" smallint DEFAULT 0 NOT NULL,
	"touched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "rendered_files_file_id_renderer_pk" PRIMARY KEY("file_id","renderer"),
	CONSTRAINT "rendered_files_state_known" CHECK ("rendered_files"."state" in ('waiting', 'rendering', 'done', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "review_pages" (
	"file_id" uuid NOT NULL,
	"renderer" smallint NOT NULL,
	"number" smallint NOT NULL,
	"width" double precision NOT NULL,
	"height" double precision NOT NULL,
	"bands" jsonb NOT NULL,
	"text" jsonb NOT NULL,
	CONSTRAINT "review_pages_file_id_renderer_number_pk" PRIMARY KEY("file_id","renderer","number")
);
--> statement-breakpoint
CREATE TABLE "review_remarks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"review_id" uuid NOT NULL,
	"author_id" uuid,
	"part" text,
	"page" integer,
	"image_id" uuid,
	"x" double precision,
	"y" double precision,
	"width" double precision,
	"height" double precision,
	"severity" text NOT NULL,
	"criterion" text,
	"text" text NOT NULL,
	"quote" text,
	"suggestion" text,
	"rank" smallint,
	"number" smallint,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "review_remarks_target" CHECK (("review_remarks"."part" is null) = ("review_remarks"."page" is null) and ("review_remarks"."page" is null or "review_remarks"."image_id" is null)),
	CONSTRAINT "review_remarks_area" CHECK (num_nulls("review_remarks"."x", "review_remarks"."y", "review_remarks"."width", "review_remarks"."height") in (0, 4)),
	CONSTRAINT "review_remarks_severity_known" CHECK ("review_remarks"."severity" in ('must', 'should', 'idea', 'keep')),
	CONSTRAINT "review_remarks_rank_range" CHECK ("review_remarks"."rank" between 1 and 3)
);
--> statement-breakpoint
CREATE TABLE "review_scores" (
	"review_id" uuid NOT NULL,
	"criterion" text NOT NULL,
	"score" smallint NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "review_scores_review_id_criterion_pk" PRIMARY KEY("review_id","criterion"),
	CONSTRAINT "review_scores_range" CHECK ("review_scores"."score" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "reviewer_phrases" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_shares" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"review_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"hidden" jsonb NOT NULL,
	"with_feedback" boolean NOT NULL,
	"pages" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "answer_templates" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_answers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"message_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"author_name" text NOT NULL,
	"answer" text NOT NULL,
	"is_from_writer" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"ticket" text NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"subject" text NOT NULL,
	"message" text NOT NULL,
	"sender_id" uuid,
	"is_suspected" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"state" text DEFAULT 'open' NOT NULL,
	"kind" text DEFAULT 'question' NOT NULL,
	"acknowledge_by" timestamp (3) with time zone DEFAULT now() + interval '48 hours' NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	"was_read_late" boolean DEFAULT false NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() + interval '1 month' NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"next_due_at" timestamp (3) with time zone GENERATED ALWAYS AS (case when state = 'closed' then null when acknowledged_at is null then acknowledge_by else due_at end) STORED,
	"unread_warned_at" timestamp (3) with time zone,
	"unsettled_warned_at" timestamp (3) with time zone,
	"owner_id" uuid,
	"order_id" text,
	"review_id" uuid,
	"job_id" uuid,
	"note" text DEFAULT '' NOT NULL,
	"search_text" text GENERATED ALWAYS AS (search_form(ticket || ' ' || name || ' ' || email || ' ' || subject)) STORED,
	CONSTRAINT "contact_messages_kind_known" CHECK ("contact_messages"."kind" in ('question', 'complaint', 'privacy')),
	CONSTRAINT "contact_messages_state_known" CHECK ("contact_messages"."state" in ('open', 'answered', 'closed')),
	CONSTRAINT "contact_messages_email_lower_case" CHECK ("contact_messages"."email" = lower("contact_messages"."email"))
);
--> statement-breakpoint
CREATE TABLE "job_reports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"job_id" uuid,
	"reporter_id" uuid,
	"email" text,
	"network" text,
	"reason" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"state" text DEFAULT 'open' NOT NULL,
	"decision_id" uuid,
	"decision_reason" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "job_reports_reason_known" CHECK ("job_reports"."reason" in ('money', 'fake', 'closed', 'facts', 'data', 'other')),
	CONSTRAINT "job_reports_state_known" CHECK ("job_reports"."state" in ('open', 'archived', 'dismissed')),
	CONSTRAINT "job_reports_email_lower_case" CHECK ("job_reports"."email" = lower("job_reports"."email")),
	CONSTRAINT "job_reports_decided" CHECK (("job_reports"."state" = 'open') = ("job_reports"."decided_at" is null))
);
--> statement-breakpoint
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
CREATE TABLE "tracked_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tracked_job_id" uuid NOT NULL,
	"state" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tracked_events_state_known" CHECK ("tracked_events"."state" in ('saved', 'applied', 'interviewing', 'offer', 'rejected', 'withdrawn'))
);
--> statement-breakpoint
CREATE TABLE "tracked_jobs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"job_id" uuid,
	"title" text NOT NULL,
	"company" text NOT NULL,
	"place" text DEFAULT '' NOT NULL,
	"url" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'saved' NOT NULL,
	"applied_on" date,
	"next_step_on" date,
	"notes" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tracked_jobs_state_known" CHECK ("tracked_jobs"."state" in ('saved', 'applied', 'interviewing', 'offer', 'rejected', 'withdrawn'))
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"email" text NOT NULL,
	"query" text NOT NULL,
	"frequency" text NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"stopped_at" timestamp (3) with time zone,
	"sent_until" timestamp (3) with time zone NOT NULL,
	"sent_job_ids" uuid[] DEFAULT '{}' NOT NULL,
	"bounces" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "alerts_frequency_known" CHECK ("alerts"."frequency" in ('daily', 'weekly')),
	CONSTRAINT "alerts_state_known" CHECK ("alerts"."state" in ('pending', 'active', 'stopped')),
	CONSTRAINT "alerts_email_lower_case" CHECK ("alerts"."email" = lower("alerts"."email"))
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authenticators" ADD CONSTRAINT "authenticators_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chosen_mails" ADD CONSTRAINT "chosen_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "half_sign_ins" ADD CONSTRAINT "half_sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "one_time_links" ADD CONSTRAINT "one_time_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_id_users_id_fk" FOREIGN KEY ("id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_roles" ADD CONSTRAINT "staff_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_checks" ADD CONSTRAINT "job_checks_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_checks" ADD CONSTRAINT "job_checks_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "places" ADD CONSTRAINT "places_parent" FOREIGN KEY ("parent") REFERENCES "public"."places"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_buyer_id_users_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_asked_by_users_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_assignments" ADD CONSTRAINT "review_assignments_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_assignments" ADD CONSTRAINT "review_assignments_reviewer_id_users_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_briefs" ADD CONSTRAINT "review_briefs_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_drafts" ADD CONSTRAINT "review_drafts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_drafts" ADD CONSTRAINT "review_drafts_resume_file_id_stored_files_id_fk" FOREIGN KEY ("resume_file_id") REFERENCES "public"."stored_files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_drafts" ADD CONSTRAINT "review_drafts_portfolio_file_id_stored_files_id_fk" FOREIGN KEY ("portfolio_file_id") REFERENCES "public"."stored_files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_files" ADD CONSTRAINT "review_files_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_images" ADD CONSTRAINT "review_images_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_orders" ADD CONSTRAINT "review_orders_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_questions" ADD CONSTRAINT "review_questions_review_id_review_briefs_review_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."review_briefs"("review_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_ratings" ADD CONSTRAINT "review_ratings_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviewer_availability" ADD CONSTRAINT "reviewer_availability_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviewer_profiles" ADD CONSTRAINT "reviewer_profiles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_reviews" ADD CONSTRAINT "service_reviews_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_reviews" ADD CONSTRAINT "service_reviews_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rendered_files" ADD CONSTRAINT "rendered_files_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_pages" ADD CONSTRAINT "review_pages_file" FOREIGN KEY ("file_id","renderer") REFERENCES "public"."rendered_files"("file_id","renderer") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_remarks" ADD CONSTRAINT "review_remarks_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_remarks" ADD CONSTRAINT "review_remarks_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_remarks" ADD CONSTRAINT "review_remarks_image_id_review_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."review_images"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_scores" ADD CONSTRAINT "review_scores_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviewer_phrases" ADD CONSTRAINT "reviewer_phrases_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_shares" ADD CONSTRAINT "review_shares_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_answers" ADD CONSTRAINT "contact_answers_message_id_contact_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."contact_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_reports" ADD CONSTRAINT "job_reports_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_reports" ADD CONSTRAINT "job_reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_reports" ADD CONSTRAINT "job_reports_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_places" ADD CONSTRAINT "contact_places_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_questions" ADD CONSTRAINT "contact_questions_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracked_events" ADD CONSTRAINT "tracked_events_tracked_job_id_tracked_jobs_id_fk" FOREIGN KEY ("tracked_job_id") REFERENCES "public"."tracked_jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracked_jobs" ADD CONSTRAINT "tracked_jobs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracked_jobs" ADD CONSTRAINT "tracked_jobs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_events_at" ON "audit_events" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_events_type" ON "audit_events" USING btree ("subject_type","at","id");--> statement-breakpoint
CREATE INDEX "audit_events_subject" ON "audit_events" USING btree ("subject_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_events_actor" ON "audit_events" USING btree ("actor_id","at","id");--> statement-breakpoint
CREATE INDEX "leases_holder" ON "leases" USING btree ("holder");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_user" ON "accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "accounts_imported" ON "accounts" USING btree ("id") WHERE password like '$2%';--> statement-breakpoint
CREATE INDEX "chosen_mails_gathered" ON "chosen_mails" USING btree ("kind","notified_until") WHERE notified_until is not null;--> statement-breakpoint
CREATE INDEX "half_sign_ins_user" ON "half_sign_ins" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_time_links_user_kind" ON "one_time_links" USING btree ("user_id","kind");--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "profiles_created_at" ON "profiles" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "profiles_name_parts" ON "profiles" USING gin (search_form("full_name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "profiles_name_short" ON "profiles" USING gin (pairs_in(search_form("full_name")));--> statement-breakpoint
CREATE INDEX "recovery_codes_user" ON "recovery_codes" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token_hash" ON "sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "users_created_at" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_highest_role" ON "users" USING btree ("highest_role","email");--> statement-breakpoint
CREATE INDEX "users_email_parts" ON "users" USING gin ("email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_email_short" ON "users" USING gin (pairs_in("email"));--> statement-breakpoint
CREATE INDEX "consents_user" ON "consents" USING btree ("user_id","purpose");--> statement-breakpoint
CREATE INDEX "consents_email" ON "consents" USING btree ("email","purpose");--> statement-breakpoint
CREATE UNIQUE INDEX "consents_user_open" ON "consents" USING btree ("user_id","purpose","notice_version") WHERE "consents"."withdrawn_at" is null and "consents"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "consents_email_open" ON "consents" USING btree ("email","purpose","notice_version") WHERE "consents"."withdrawn_at" is null and "consents"."email" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "stored_files_address" ON "stored_files" USING btree ("bucket","path");--> statement-breakpoint
CREATE INDEX "stored_files_uploader" ON "stored_files" USING btree ("uploaded_by","created_at");--> statement-breakpoint
CREATE INDEX "job_checks_job" ON "job_checks" USING btree ("job_id","at");--> statement-breakpoint
CREATE INDEX "job_checks_actor" ON "job_checks" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "jobs_facets" ON "jobs" USING gin ("facets");--> statement-breakpoint
CREATE INDEX "jobs_check_due" ON "jobs" USING btree ("check_due_at") WHERE not is_archived;--> statement-breakpoint
CREATE INDEX "jobs_check_order" ON "jobs" USING btree ((case when checked_at is null and lapses then case when follows_removal then 0 else 1 end else 2 end),"check_due_at","id") WHERE not is_archived;--> statement-breakpoint
CREATE INDEX "jobs_live_until" ON "jobs" USING btree ("live_until") WHERE not is_archived and live_until is not null;--> statement-breakpoint
CREATE INDEX "jobs_board_by_type" ON "jobs" USING btree ("is_archived","job_type","posted_at","id");--> statement-breakpoint
CREATE INDEX "jobs_owner" ON "jobs" USING btree ("created_by","is_archived","posted_at","id");--> statement-breakpoint
CREATE INDEX "jobs_search" ON "jobs" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "jobs_search_short" ON "jobs" USING gin (pairs_in("search_text"));--> statement-breakpoint
CREATE INDEX "places_children" ON "places" USING btree ("parent");--> statement-breakpoint
CREATE UNIQUE INDEX "mails_cause" ON "mails" USING btree ("cause");--> statement-breakpoint
CREATE INDEX "mails_created_at" ON "mails" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "mails_state" ON "mails" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "mails_unsent" ON "mails" USING btree ("created_at") WHERE sent_at is null;--> statement-breakpoint
CREATE INDEX "order_events_order" ON "order_events" USING btree ("order_id","at");--> statement-breakpoint
CREATE INDEX "order_events_doubtful" ON "order_events" USING btree ("order_id") WHERE detail->>'reason' in ('wrong amount', 'disagreement');--> statement-breakpoint
CREATE INDEX "orders_created_at" ON "orders" USING btree ("created_at","status");--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("created_at","order_id");--> statement-breakpoint
CREATE INDEX "orders_payment" ON "orders" USING btree ("provider_payment_id") WHERE provider_payment_id is not null;--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" USING btree ("status","created_at","order_id");--> statement-breakpoint
CREATE INDEX "orders_buyer" ON "orders" USING btree ("buyer_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_next_check" ON "orders" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "orders_pending" ON "orders" USING btree ("created_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "orders_concern" ON "orders" USING btree ("created_at") WHERE concern is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_open" ON "refunds" USING btree ("order_id") WHERE state in ('asked', 'approved', 'sent', 'settled');--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id","created_at");--> statement-breakpoint
CREATE INDEX "refunds_state" ON "refunds" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "refunds_next_check" ON "refunds" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "review_assignments_review" ON "review_assignments" USING btree ("review_id");--> statement-breakpoint
CREATE INDEX "review_assignments_own" ON "review_assignments" USING btree ("reviewer_id","is_open","assigned_at","id");--> statement-breakpoint
CREATE INDEX "review_assignments_own_urgent" ON "review_assignments" USING btree ("reviewer_id","is_open","priority","assigned_at","id");--> statement-breakpoint
CREATE INDEX "review_assignments_own_patient" ON "review_assignments" USING btree ("reviewer_id","is_open",(-"priority"),"assigned_at","id");--> statement-breakpoint
CREATE INDEX "review_assignments_own_due" ON "review_assignments" USING btree ("reviewer_id","is_open",coalesce("shown_due_at", '9999-12-31T00:00:00Z'::timestamptz),"id");--> statement-breakpoint
CREATE INDEX "review_assignments_reviewer_open" ON "review_assignments" USING btree ("reviewer_id") WHERE completed_at is null;--> statement-breakpoint
CREATE INDEX "review_assignments_open" ON "review_assignments" USING btree ("assigned_at","id") WHERE completed_at is null and review_status = 'under_review';--> statement-breakpoint
CREATE INDEX "review_assignments_open_submitted" ON "review_assignments" USING btree ("submitted_at","id") WHERE completed_at is null and review_status = 'under_review';--> statement-breakpoint
CREATE INDEX "review_assignments_open_due" ON "review_assignments" USING btree (coalesce("shown_due_at", '9999-12-31T00:00:00Z'::timestamptz),"id") WHERE completed_at is null and review_status = 'under_review';--> statement-breakpoint
CREATE INDEX "review_assignments_open_type" ON "review_assignments" USING btree ("service_type","id") WHERE completed_at is null and review_status = 'under_review';--> statement-breakpoint
CREATE INDEX "review_assignments_open_buyer" ON "review_assignments" USING btree ("buyer_name" collate "und-x-icu","id") WHERE completed_at is null and review_status = 'under_review';--> statement-breakpoint
CREATE INDEX "review_assignments_open_reviewer" ON "review_assignments" USING btree ("reviewer_name" collate "und-x-icu","id") WHERE completed_at is null and review_status = 'under_review';--> statement-breakpoint
CREATE INDEX "review_assignments_completed" ON "review_assignments" USING btree ("completed_at","id") WHERE completed_at is not null and review_status = 'completed';--> statement-breakpoint
CREATE UNIQUE INDEX "review_drafts_user_type" ON "review_drafts" USING btree ("user_id","service_type");--> statement-breakpoint
CREATE INDEX "review_files_review" ON "review_files" USING btree ("review_id","created_at");--> statement-breakpoint
CREATE INDEX "review_images_review" ON "review_images" USING btree ("review_id","created_at");--> statement-breakpoint
CREATE INDEX "review_orders_draft" ON "review_orders" USING btree ("draft_id","draft_revision");--> statement-breakpoint
CREATE UNIQUE INDEX "service_reviews_order" ON "service_reviews" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "service_reviews_user" ON "service_reviews" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "service_reviews_status" ON "service_reviews" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "service_reviews_open" ON "service_reviews" USING btree ("id") WHERE status <> 'completed' and due_at is not null;--> statement-breakpoint
CREATE INDEX "service_reviews_queue" ON "service_reviews" USING btree ((-"priority"),"created_at","id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "service_reviews_due" ON "service_reviews" USING btree ("status",coalesce(coalesce("extended_to", "due_at"), '9999-12-31T00:00:00Z'::timestamptz),"id") WHERE status <> 'completed';--> statement-breakpoint
CREATE INDEX "service_reviews_search" ON "service_reviews" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "service_reviews_search_short" ON "service_reviews" USING gin (pairs_in("search_text"));--> statement-breakpoint
CREATE INDEX "review_remarks_review" ON "review_remarks" USING btree ("review_id","created_at","id");--> statement-breakpoint
CREATE INDEX "review_remarks_image" ON "review_remarks" USING btree ("image_id");--> statement-breakpoint
CREATE UNIQUE INDEX "review_remarks_rank" ON "review_remarks" USING btree ("review_id","rank") WHERE "review_remarks"."rank" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reviewer_phrases_text" ON "reviewer_phrases" USING btree ("user_id",md5("text"));--> statement-breakpoint
CREATE UNIQUE INDEX "review_shares_token" ON "review_shares" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "review_shares_one" ON "review_shares" USING btree ("review_id") WHERE "review_shares"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "review_shares_expires" ON "review_shares" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "answer_templates_title" ON "answer_templates" USING btree ("title");--> statement-breakpoint
CREATE INDEX "contact_answers_message" ON "contact_answers" USING btree ("message_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_messages_ticket" ON "contact_messages" USING btree ("ticket");--> statement-breakpoint
CREATE INDEX "contact_messages_confirmed" ON "contact_messages" USING btree ("email","confirmed_at");--> statement-breakpoint
CREATE INDEX "contact_messages_created_at" ON "contact_messages" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "contact_messages_state" ON "contact_messages" USING btree ("is_suspected","state","created_at","id");--> statement-breakpoint
CREATE INDEX "contact_messages_due" ON "contact_messages" USING btree ("state","next_due_at","id") WHERE not is_suspected;--> statement-breakpoint
CREATE INDEX "contact_messages_next_due" ON "contact_messages" USING btree ("next_due_at","id") WHERE not is_suspected and next_due_at is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_order" ON "contact_messages" USING btree ("order_id") WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_review" ON "contact_messages" USING btree ("review_id") WHERE review_id is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_job" ON "contact_messages" USING btree ("job_id") WHERE job_id is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_owner" ON "contact_messages" USING btree ("owner_id","next_due_at","id") WHERE owner_id is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_sender" ON "contact_messages" USING btree ("sender_id","created_at","id") WHERE sender_id is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_search" ON "contact_messages" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contact_messages_short" ON "contact_messages" USING gin (pairs_in("search_text"));--> statement-breakpoint
CREATE UNIQUE INDEX "job_reports_account" ON "job_reports" USING btree ("job_id","reporter_id") WHERE state = 'open' and reporter_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "job_reports_address" ON "job_reports" USING btree ("job_id","email",(confirmed_at is null)) WHERE state = 'open' and email is not null;--> statement-breakpoint
CREATE INDEX "job_reports_open" ON "job_reports" USING btree ("job_id","created_at") WHERE state = 'open' and confirmed_at is not null;--> statement-breakpoint
CREATE INDEX "job_reports_unconfirmed" ON "job_reports" USING btree ("created_at") WHERE confirmed_at is null;--> statement-breakpoint
CREATE INDEX "job_reports_decided" ON "job_reports" USING btree ("state","decided_at") WHERE decided_at is not null;--> statement-breakpoint
CREATE INDEX "job_reports_job" ON "job_reports" USING btree ("job_id") WHERE job_id is not null;--> statement-breakpoint
CREATE INDEX "job_reports_reporter" ON "job_reports" USING btree ("reporter_id") WHERE reporter_id is not null;--> statement-breakpoint
CREATE INDEX "job_reports_decided_by" ON "job_reports" USING btree ("decided_by") WHERE decided_by is not null;--> statement-breakpoint
CREATE INDEX "contact_places_found" ON "contact_places" USING btree ("found_at","id");--> statement-breakpoint
CREATE INDEX "contact_places_subject" ON "contact_places" USING btree ("subject_id","kind");--> statement-breakpoint
CREATE INDEX "contact_places_job" ON "contact_places" USING btree ("job_id") WHERE job_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "contact_questions_due" ON "contact_questions" USING btree ("job_id","due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_questions_token" ON "contact_questions" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_questions_reminder_token" ON "contact_questions" USING btree ("reminder_token_hash");--> statement-breakpoint
CREATE INDEX "contact_questions_email" ON "contact_questions" USING btree ("email_hash","asked_at");--> statement-breakpoint
CREATE INDEX "contact_questions_asked" ON "contact_questions" USING btree ("asked_at");--> statement-breakpoint
CREATE INDEX "contact_questions_to_remind" ON "contact_questions" USING btree ("asked_at") WHERE answered_at is null and reminded_at is null;--> statement-breakpoint
CREATE INDEX "tracked_events_job" ON "tracked_events" USING btree ("tracked_job_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "tracked_jobs_listing" ON "tracked_jobs" USING btree ("user_id","job_id") WHERE job_id is not null;--> statement-breakpoint
CREATE INDEX "tracked_jobs_user" ON "tracked_jobs" USING btree ("user_id","state","updated_at","id");--> statement-breakpoint
CREATE INDEX "tracked_jobs_job" ON "tracked_jobs" USING btree ("job_id") WHERE job_id is not null;--> statement-breakpoint
CREATE INDEX "tracked_jobs_gone" ON "tracked_jobs" USING btree ("url") WHERE job_id is null and url <> '';--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_address_query" ON "alerts" USING btree ("email","query") WHERE state <> 'stopped';--> statement-breakpoint
CREATE INDEX "alerts_due" ON "alerts" USING btree ("frequency","sent_until","email") WHERE state = 'active';--> statement-breakpoint
CREATE INDEX "alerts_pending" ON "alerts" USING btree ("created_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "alerts_email" ON "alerts" USING btree ("email");--> statement-breakpoint
CREATE INDEX "alerts_user" ON "alerts" USING btree ("user_id") WHERE user_id is not null;--> statement-breakpoint
CREATE VIEW "public"."reviewers" AS (
  select staff_roles.user_id as id, profiles.full_name, staff_roles.role
  from staff_roles join profiles on profiles.id = staff_roles.user_id);--> statement-breakpoint
-- Indexes that the table definitions can't express: columns that are only included, and contacts in texts.
CREATE INDEX jobs_board_facets ON jobs (is_archived, posted_at, id) INCLUDE (facets, live_until);--> statement-breakpoint
CREATE INDEX jobs_published ON jobs (is_archived, published_at, id) INCLUDE (facets, live_until);--> statement-breakpoint
CREATE INDEX jobs_by_pay_facets ON jobs (is_archived, pay_year, id) INCLUDE (facets, live_until);--> statement-breakpoint
CREATE INDEX jobs_without_details ON jobs (posted_at, id) INCLUDE (live_until)
  WHERE not is_archived and discipline is null and work_mode is null and experience_min is null
    and experience_max is null and pay_period is null and place_ids = '{}' and applicant_place_ids = '{}'
    and skill_ids = '{}';--> statement-breakpoint
CREATE INDEX jobs_contacts ON jobs USING gin (contacts_in(coalesce(check_email, '') || ' ' || coalesce(poc_name, '') || ' ' ||
  coalesce(poc_contact, '') || ' ' || coalesce(direct_application_link, '') || ' ' ||
  coalesce(portal_application_link, '') || ' ' || coalesce(compensation, '') || ' ' || title || ' ' || company || ' ' ||
  location || ' ' || description || ' ' || coalesce(large_description, '')));--> statement-breakpoint
CREATE INDEX audit_events_job_contacts ON audit_events USING gin (contacts_in(regexp_replace(
  coalesce(before::text, '') || ' ' || coalesce(after::text, ''), '\\[nrt]', ' ', 'g'))) WHERE subject_type = 'job';--> statement-breakpoint
CREATE INDEX job_reports_contacts ON job_reports
  USING gin (contacts_in(coalesce(text, '') || ' ' || coalesce(decision_reason, '')));--> statement-breakpoint
CREATE INDEX contact_messages_contacts ON contact_messages
  USING gin (contacts_in(coalesce(subject, '') || ' ' || coalesce(message, '') || ' ' || coalesce(note, '')));--> statement-breakpoint
CREATE INDEX contact_answers_contacts ON contact_answers USING gin (contacts_in(coalesce(answer, '')));--> statement-breakpoint
-- Tells every process that public screens show something else.
CREATE FUNCTION tell_jobs_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('jobs_changed', '');
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER jobs_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON jobs
FOR EACH STATEMENT EXECUTE FUNCTION tell_jobs_changed();--> statement-breakpoint
-- The services page names reviewers.
CREATE TRIGGER public_reviewers_changed AFTER INSERT OR UPDATE OR DELETE ON reviewer_profiles
FOR EACH STATEMENT EXECUTE FUNCTION tell_jobs_changed();--> statement-breakpoint
CREATE TRIGGER public_reviewers_changed AFTER INSERT OR DELETE ON staff_roles
FOR EACH STATEMENT EXECUTE FUNCTION tell_jobs_changed();--> statement-breakpoint
CREATE TRIGGER public_reviewers_changed AFTER UPDATE OF banned_until ON users
FOR EACH STATEMENT EXECUTE FUNCTION tell_jobs_changed();--> statement-breakpoint
-- Writes the numbers that filters look up; app/jobs/details.ts names them.
CREATE FUNCTION set_job_facets() RETURNS trigger LANGUAGE plpgsql AS $$
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
-- OF keeps archiving cheap.
CREATE TRIGGER jobs_facets BEFORE INSERT OR UPDATE OF job_type, discipline, work_mode, place_ids, applicant_place_ids,
  experience_min, experience_max, skill_ids, pay_min, pay_max, pay_period, pay_currency ON jobs
  FOR EACH ROW EXECUTE FUNCTION set_job_facets();--> statement-breakpoint
-- Triggers copy the columns that lists are sorted by into the listed row, so that an index gives a page of any order.
CREATE FUNCTION highest_role_of(person uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT role FROM staff_roles WHERE user_id = person
     ORDER BY array_position(array['god_admin', 'job_board_adder', 'reviewer'], role) LIMIT 1),
    'user')
$$;--> statement-breakpoint
CREATE FUNCTION copy_highest_role() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  person uuid := coalesce(NEW.user_id, OLD.user_id);
BEGIN
  -- The second of two concurrent grants waits for the first, and sees it.
  PERFORM 1 FROM users WHERE id = person FOR NO KEY UPDATE;
  UPDATE users SET highest_role = highest_role_of(person) WHERE id = person;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER highest_role AFTER INSERT OR UPDATE OR DELETE ON staff_roles
FOR EACH ROW EXECUTE FUNCTION copy_highest_role();--> statement-breakpoint
-- A name as screens show it.
CREATE FUNCTION shown_name(person uuid, otherwise text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT nullif(trim(full_name), '') FROM profiles WHERE id = person), otherwise)
$$;--> statement-breakpoint
CREATE FUNCTION copy_review_to_assignment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT service_type, status, priority, created_at, coalesce(extended_to, due_at), shown_name(user_id, 'Unknown User')
  INTO NEW.service_type, NEW.review_status, NEW.priority, NEW.submitted_at, NEW.shown_due_at, NEW.buyer_name
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
    priority = NEW.priority, submitted_at = NEW.created_at, shown_due_at = coalesce(NEW.extended_to, NEW.due_at),
    buyer_name = shown_name(NEW.user_id, 'Unknown User')
  WHERE review_id = NEW.id;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER changed_review
AFTER UPDATE OF user_id, service_type, status, priority, created_at, due_at, extended_to ON service_reviews
FOR EACH ROW EXECUTE FUNCTION copy_change_of_review();--> statement-breakpoint
-- Only the list of open assignments is sorted by name.
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
-- The texts by which reviews are searched are in the review itself, so that one index finds them.
CREATE FUNCTION customer_text(person uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT search_form(users.email || E'\n' || coalesce(profiles.full_name, ''))
    FROM users LEFT JOIN profiles ON profiles.id = users.id WHERE users.id = person
  ), '')
$$;--> statement-breakpoint
CREATE FUNCTION copy_customer_to_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := customer_text(NEW.user_id);
  RETURN NEW;
END
$$;--> statement-breakpoint
CREATE FUNCTION copy_customer_to_reviews() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  person uuid := coalesce(NEW.id, OLD.id);
BEGIN
  UPDATE service_reviews SET search_text = customer_text(person) WHERE user_id = person;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER copied_customer BEFORE INSERT OR UPDATE OF user_id ON service_reviews
FOR EACH ROW EXECUTE FUNCTION copy_customer_to_review();--> statement-breakpoint
CREATE TRIGGER changed_customer_email AFTER UPDATE OF email ON users
FOR EACH ROW EXECUTE FUNCTION copy_customer_to_reviews();--> statement-breakpoint
CREATE TRIGGER changed_customer_name AFTER INSERT OR UPDATE OF full_name OR DELETE ON profiles
FOR EACH ROW EXECUTE FUNCTION copy_customer_to_reviews();

ALTER TABLE "jobs" DROP COLUMN "search_text";--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(normalize(title || E'\n' || company || E'\n' || description))) STORED;--> statement-breakpoint
CREATE INDEX "jobs_search" ON "jobs" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
-- The letters of a text and each two neighbours among them: what a search of one or two letters looks up.
CREATE FUNCTION letter_pairs(words text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT string_to_array(words, null) || array(
    SELECT letter || next
    FROM unnest(string_to_array(words, null), (string_to_array(words, null))[2:]) AS neighbours (letter, next)
    WHERE next IS NOT NULL
  )
$$;--> statement-breakpoint
CREATE INDEX "jobs_search_short" ON "jobs" USING gin (letter_pairs("search_text"));

CREATE TABLE "search_words" (
	"word" text PRIMARY KEY NOT NULL,
	"jobs" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "search_words_trigrams" ON "search_words" USING gin (show_trgm("word")) WITH (fastupdate=false);
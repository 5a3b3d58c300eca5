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
ALTER TABLE "rendered_files" ADD CONSTRAINT "rendered_files_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_pages" ADD CONSTRAINT "review_pages_file" FOREIGN KEY ("file_id","renderer") REFERENCES "public"."rendered_files"("file_id","renderer") ON DELETE cascade ON UPDATE no action;
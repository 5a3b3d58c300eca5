CREATE TABLE "file_views" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"file_id" uuid NOT NULL,
	"viewer_id" uuid,
	"opened_as" text NOT NULL,
	"day" date NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "file_views_viewer_known" CHECK ("file_views"."opened_as" in ('reviewer', 'admin'))
);
--> statement-breakpoint
ALTER TABLE "file_views" ADD CONSTRAINT "file_views_file_id_stored_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."stored_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_views" ADD CONSTRAINT "file_views_viewer_id_users_id_fk" FOREIGN KEY ("viewer_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "file_views_day" ON "file_views" USING btree ("file_id","viewer_id","day");--> statement-breakpoint
CREATE INDEX "file_views_at" ON "file_views" USING btree ("at");--> statement-breakpoint
CREATE INDEX "file_views_viewer" ON "file_views" USING btree ("viewer_id");
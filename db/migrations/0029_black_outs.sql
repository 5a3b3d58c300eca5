CREATE TABLE "black_outs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"copy_file_id" uuid NOT NULL,
	"original_file_id" uuid,
	"boxes" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "review_drafts" ADD COLUMN "resume_copy" jsonb;--> statement-breakpoint
ALTER TABLE "review_drafts" ADD COLUMN "portfolio_copy" jsonb;--> statement-breakpoint
ALTER TABLE "black_outs" ADD CONSTRAINT "black_outs_copy_file_id_stored_files_id_fk" FOREIGN KEY ("copy_file_id") REFERENCES "public"."stored_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "black_outs" ADD CONSTRAINT "black_outs_original_file_id_stored_files_id_fk" FOREIGN KEY ("original_file_id") REFERENCES "public"."stored_files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "black_outs_copy" ON "black_outs" USING btree ("copy_file_id");--> statement-breakpoint
CREATE INDEX "black_outs_original" ON "black_outs" USING btree ("original_file_id");
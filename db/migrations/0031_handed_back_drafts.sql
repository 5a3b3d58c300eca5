CREATE TABLE "handed_back_drafts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"review_id" uuid NOT NULL,
	"former_reviewer_id" uuid,
	"reason" text NOT NULL,
	"note" text,
	"handed_back_at" timestamp (3) with time zone NOT NULL,
	"content" jsonb NOT NULL,
	"attachments" text[] NOT NULL,
	"taken_at" timestamp (3) with time zone,
	"discarded_at" timestamp (3) with time zone,
	"settled_by" uuid,
	CONSTRAINT "handed_back_drafts_reason_known" CHECK ("handed_back_drafts"."reason" in ('ill', 'knows_author', 'outside_field')),
	CONSTRAINT "handed_back_drafts_settled" CHECK ("handed_back_drafts"."taken_at" is null or "handed_back_drafts"."discarded_at" is null)
);
--> statement-breakpoint
ALTER TABLE "handed_back_drafts" ADD CONSTRAINT "handed_back_drafts_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "handed_back_drafts" ADD CONSTRAINT "handed_back_drafts_former_reviewer_id_users_id_fk" FOREIGN KEY ("former_reviewer_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "handed_back_drafts" ADD CONSTRAINT "handed_back_drafts_settled_by_users_id_fk" FOREIGN KEY ("settled_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "handed_back_drafts_review" ON "handed_back_drafts" USING btree ("review_id","handed_back_at");--> statement-breakpoint
CREATE INDEX "handed_back_drafts_former_reviewer" ON "handed_back_drafts" USING btree ("former_reviewer_id");--> statement-breakpoint
CREATE INDEX "handed_back_drafts_settled_by" ON "handed_back_drafts" USING btree ("settled_by");--> statement-breakpoint
CREATE INDEX "handed_back_drafts_date" ON "handed_back_drafts" USING btree ("handed_back_at");
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
ALTER TABLE "review_shares" ADD CONSTRAINT "review_shares_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "review_shares_token" ON "review_shares" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "review_shares_one" ON "review_shares" USING btree ("review_id") WHERE "review_shares"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "review_shares_expires" ON "review_shares" USING btree ("expires_at");
CREATE TABLE "reviewer_profiles" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"first_name" text NOT NULL,
	"field" text NOT NULL,
	"about" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"hidden_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "review_drafts" ADD COLUMN "portfolio_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "reviewer_profiles" ADD CONSTRAINT "reviewer_profiles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "review_briefs" ADD COLUMN "wished_field" text;--> statement-breakpoint
ALTER TABLE "review_briefs" ADD COLUMN "wished_language" text;--> statement-breakpoint
ALTER TABLE "reviewer_profiles" ADD COLUMN "known_fields" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "reviewer_profiles" ADD COLUMN "languages" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "reviewer_profiles" ADD COLUMN "record_public_at" timestamp (3) with time zone;
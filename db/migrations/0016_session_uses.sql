ALTER TABLE "sessions" ADD COLUMN "seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "proved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "first_sign_in_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "sessions" SET "seen_at" = "updated_at";--> statement-breakpoint
-- Who had an account before this was kept has signed in to it.
UPDATE "users" SET "first_sign_in_at" = "created_at" WHERE "email_verified";

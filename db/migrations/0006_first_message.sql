ALTER TABLE "profiles" ADD COLUMN "portfolio_url" text;--> statement-breakpoint
ALTER TABLE "tracked_jobs" ADD COLUMN "motivation" text DEFAULT '' NOT NULL;
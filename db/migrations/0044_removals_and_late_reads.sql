ALTER TABLE "jobs" ADD COLUMN "follows_removal" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "was_read_late" boolean DEFAULT false NOT NULL;
ALTER TABLE "orders" ADD COLUMN "retry_path" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "last_checked_at" timestamp (3) with time zone;
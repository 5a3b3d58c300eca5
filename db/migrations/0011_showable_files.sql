ALTER TABLE "stored_files" ADD COLUMN "showable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Nobody has looked into the documents that were kept before: they are for saving.
UPDATE "stored_files" SET "showable" = true WHERE "mime_type" IN ('image/png', 'image/jpeg', 'image/webp', 'image/gif');
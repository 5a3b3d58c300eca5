CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"is_asked_for" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX "leases_holder" ON "leases" USING btree ("holder");
CREATE TABLE "consents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"email" text,
	"purpose" text NOT NULL,
	"notice_version" text NOT NULL,
	"given_at" timestamp (3) with time zone NOT NULL,
	"withdrawn_at" timestamp (3) with time zone,
	"how" text NOT NULL,
	CONSTRAINT "consents_one_person" CHECK (num_nonnulls("consents"."user_id", "consents"."email") = 1),
	CONSTRAINT "consents_email_lower_case" CHECK ("consents"."email" = lower("consents"."email")),
	CONSTRAINT "consents_purpose_known" CHECK ("consents"."purpose" in ('account', 'adult', 'mails', 'alerts', 'contact', 'share', 'sample')),
	CONSTRAINT "consents_how_known" CHECK ("consents"."how" in ('sign-up', 'profile', 'share', 'notice', 'before'))
);
--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consents_user" ON "consents" USING btree ("user_id","purpose");--> statement-breakpoint
CREATE INDEX "consents_email" ON "consents" USING btree ("email","purpose");--> statement-breakpoint
CREATE UNIQUE INDEX "consents_user_open" ON "consents" USING btree ("user_id","purpose","notice_version") WHERE "consents"."withdrawn_at" is null and "consents"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "consents_email_open" ON "consents" USING btree ("email","purpose","notice_version") WHERE "consents"."withdrawn_at" is null and "consents"."email" is not null;--> statement-breakpoint
-- Earlier accounts accepted the terms and the policy when they were created. Nothing said that they were adults.
INSERT INTO "consents" ("user_id", "purpose", "notice_version", "given_at", "how")
SELECT "id", 'account', '2025-05-01', "created_at", 'before' FROM "users" WHERE "email_verified";

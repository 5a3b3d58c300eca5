CREATE TABLE "contact_answers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"message_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"author_name" text NOT NULL,
	"answer" text NOT NULL
);
--> statement-breakpoint
DROP INDEX "mails_created_at";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "dropped_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "state" text GENERATED ALWAYS AS (case when sent_at is not null then 'sent' when dropped_at is not null then 'dropped' when given_up_at is not null then 'given-up' when attempts > 0 then 'failing' else 'waiting' end) STORED;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "concern" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "looked_into_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "state" text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(ticket || ' ' || name || ' ' || email || ' ' || subject)) STORED;--> statement-breakpoint
ALTER TABLE "contact_answers" ADD CONSTRAINT "contact_answers_message_id_contact_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."contact_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_answers_message" ON "contact_answers" USING btree ("message_id","at");--> statement-breakpoint
CREATE INDEX "audit_events_actor" ON "audit_events" USING btree ("actor_id","at","id");--> statement-breakpoint
CREATE INDEX "mails_state" ON "mails" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_concern" ON "orders" USING btree ("created_at") WHERE concern is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_state" ON "contact_messages" USING btree ("is_suspected","state","created_at","id");--> statement-breakpoint
CREATE INDEX "contact_messages_search" ON "contact_messages" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contact_messages_short" ON "contact_messages" USING gin (letter_pairs("search_text"));--> statement-breakpoint
CREATE INDEX "mails_created_at" ON "mails" USING btree ("created_at","id");--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_state_known" CHECK ("contact_messages"."state" in ('open', 'answered', 'closed'));--> statement-breakpoint
-- What has been mailed to support about these orders says that somebody has to look into them.
UPDATE "orders" SET "concern" = 'no account' FROM "mails" WHERE "mails"."cause" = 'paid-without-account:' || "order_id" AND "status" = 'success';--> statement-breakpoint
UPDATE "orders" SET "concern" = 'unreachable' FROM "mails" WHERE "mails"."cause" = 'order-given-up:' || "order_id" AND "status" = 'failed';--> statement-breakpoint
-- Until now messages were answered in a mail program; what is older than a month has been.
UPDATE "contact_messages" SET "state" = 'closed', "note" = 'From before answers were kept here.' WHERE "created_at" < now() - interval '30 days';

CREATE TABLE "answer_templates" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contact_answers" ADD COLUMN "is_from_writer" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "kind" text DEFAULT 'question' NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "acknowledge_by" timestamp (3) with time zone DEFAULT now() + interval '48 hours' NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "acknowledged_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "due_at" timestamp (3) with time zone DEFAULT now() + interval '1 month' NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "settled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "next_due_at" timestamp (3) with time zone GENERATED ALWAYS AS (case when state = 'closed' then null when acknowledged_at is null then acknowledge_by else due_at end) STORED;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "unread_warned_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "unsettled_warned_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "owner_id" uuid;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "order_id" text;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "review_id" uuid;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "job_id" uuid;--> statement-breakpoint
-- Messages from before count from the time they were sent. Replies and closings have no times of their own before
-- the first reply, so a closed message without one counts as settled when it was sent.
UPDATE "contact_messages" SET
  "acknowledge_by" = "created_at" + interval '48 hours',
  "due_at" = "created_at" + interval '1 month',
  "acknowledged_at" = CASE WHEN "state" <> 'open' THEN coalesce(
    (SELECT min("at") FROM "contact_answers" WHERE "message_id" = "contact_messages"."id"), "created_at") END,
  "settled_at" = CASE WHEN "state" = 'closed' THEN coalesce(
    (SELECT max("at") FROM "contact_answers" WHERE "message_id" = "contact_messages"."id"), "created_at") END;--> statement-breakpoint
CREATE UNIQUE INDEX "answer_templates_title" ON "answer_templates" USING btree ("title");--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_messages_due" ON "contact_messages" USING btree ("state","next_due_at","id") WHERE not is_suspected;--> statement-breakpoint
CREATE INDEX "contact_messages_next_due" ON "contact_messages" USING btree ("next_due_at","id") WHERE not is_suspected and next_due_at is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_order" ON "contact_messages" USING btree ("order_id") WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_review" ON "contact_messages" USING btree ("review_id") WHERE review_id is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_job" ON "contact_messages" USING btree ("job_id") WHERE job_id is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_owner" ON "contact_messages" USING btree ("owner_id","next_due_at","id") WHERE owner_id is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_sender" ON "contact_messages" USING btree ("sender_id","created_at","id") WHERE sender_id is not null;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_kind_known" CHECK ("contact_messages"."kind" in ('question', 'complaint', 'privacy'));
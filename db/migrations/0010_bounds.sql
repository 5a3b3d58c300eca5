-- They live an hour at most, and what was kept in the old way cannot be sealed afterwards.
DELETE FROM "held_forms";--> statement-breakpoint
ALTER TABLE "held_forms" ADD COLUMN "sealed" bytea NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "leased_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "given_up_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "order_events_doubtful" ON "order_events" USING btree ("order_id") WHERE detail->>'reason' in ('wrong amount', 'disagreement');--> statement-breakpoint
CREATE INDEX "orders_pending" ON "orders" USING btree ("created_at") WHERE status = 'pending';--> statement-breakpoint
ALTER TABLE "held_forms" DROP COLUMN "fields";
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" text NOT NULL,
	"token" text NOT NULL,
	"amount_paise" integer NOT NULL,
	"grounds" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"answer" text,
	"asked_by" uuid,
	"decided_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"request_id" text,
	"ended_at" timestamp (3) with time zone,
	"failure" text,
	"checks" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp (3) with time zone,
	CONSTRAINT "refunds_token_unique" UNIQUE("token"),
	CONSTRAINT "refunds_amount_positive" CHECK ("refunds"."amount_paise" > 0),
	CONSTRAINT "refunds_token_length" CHECK (length("refunds"."token") between 1 and 23),
	CONSTRAINT "refunds_state_known" CHECK ("refunds"."state" in ('asked', 'approved', 'sent', 'settled', 'failed', 'declined'))
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "captured_paise" integer;--> statement-breakpoint
ALTER TABLE "service_reviews" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "service_reviews" ADD COLUMN "extended_to" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "service_reviews" ADD COLUMN "withdrawn_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_asked_by_users_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_open" ON "refunds" USING btree ("order_id") WHERE state in ('asked', 'approved', 'sent', 'settled');--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id","created_at");--> statement-breakpoint
CREATE INDEX "refunds_state" ON "refunds" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "refunds_next_check" ON "refunds" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
-- What was captured is known of what was paid, and of what the provider confirmed in another amount than was asked for.
UPDATE "orders" SET "captured_paise" = "amount_paise" WHERE "status" = 'success';--> statement-breakpoint
UPDATE "orders" SET "captured_paise" = said.paise, "provider_payment_id" = said.payment
FROM (
  SELECT DISTINCT ON ("order_id") "order_id",
    ("detail"->'verification'->>'amountPaise')::integer AS paise,
    "detail"->'verification'->>'mihpayid' AS payment
  FROM "order_events"
  WHERE "detail"->>'reason' = 'wrong amount' AND "detail"->'verification'->>'outcome' = 'success'
  ORDER BY "order_id", "at" DESC
) AS said
WHERE said."order_id" = "orders"."order_id" AND "orders"."status" <> 'success';

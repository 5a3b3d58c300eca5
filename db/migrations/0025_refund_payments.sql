ALTER TABLE "refunds" ADD COLUMN "payment_id" text NOT NULL;--> statement-breakpoint
CREATE INDEX "profiles_name_parts" ON "profiles" USING gin (lower("full_name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "profiles_name_short" ON "profiles" USING gin (letter_pairs(lower("full_name")));--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("created_at","order_id");--> statement-breakpoint
CREATE INDEX "orders_payment" ON "orders" USING btree ("provider_payment_id") WHERE provider_payment_id is not null;--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" USING btree ("status","created_at","order_id");
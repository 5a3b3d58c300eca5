CREATE TABLE "sealed_accounts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"full_name" text,
	"phone" text,
	"portfolio_url" text,
	"purge_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sealed_accounts_email_lower_case" CHECK ("sealed_accounts"."email" = lower("sealed_accounts"."email"))
);
--> statement-breakpoint
ALTER TABLE "service_reviews" DROP CONSTRAINT "service_reviews_order_id_orders_order_id_fk";
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sealed_accounts" ADD CONSTRAINT "sealed_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sealed_accounts_email" ON "sealed_accounts" USING btree ("email");--> statement-breakpoint
CREATE INDEX "sealed_accounts_purge_at" ON "sealed_accounts" USING btree ("purge_at");--> statement-breakpoint
ALTER TABLE "service_reviews" ADD CONSTRAINT "service_reviews_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE set null ON UPDATE no action NOT VALID;
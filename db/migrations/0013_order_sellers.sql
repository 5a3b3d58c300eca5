ALTER TABLE "orders" ADD COLUMN "product_name" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "seller_name" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "seller_address" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "seller_gstin" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "seller_state" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "service_code" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax_rate" integer;
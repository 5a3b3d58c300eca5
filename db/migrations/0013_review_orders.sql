CREATE TABLE "review_orders" (
	"order_id" text PRIMARY KEY NOT NULL,
	"draft_id" uuid NOT NULL,
	"draft_revision" integer NOT NULL,
	"service_type" text NOT NULL,
	"resume_file_path" text,
	"portfolio_url" text,
	"portfolio_file_path" text,
	CONSTRAINT "review_orders_type_known" CHECK ("review_orders"."service_type" in ('resume_review', 'portfolio_review', 'combined_review'))
);
--> statement-breakpoint
ALTER TABLE "review_orders" ADD CONSTRAINT "review_orders_order_id_orders_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("order_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "review_orders_draft" ON "review_orders" USING btree ("draft_id","draft_revision");--> statement-breakpoint
-- What orders for reviews kept in a text of payments'. Some in demonstrations named no draft: theirs is gone.
INSERT INTO "review_orders"
SELECT
	"order_id",
	coalesce(("purpose"->>'draftId')::uuid, gen_random_uuid()),
	coalesce(("purpose"->>'draftRevision')::integer, 1),
	"purpose"->>'serviceType',
	"purpose"->>'resumePath',
	"purpose"->>'portfolioUrl',
	"purpose"->>'portfolioPath'
FROM "orders"
WHERE "purpose"->>'kind' = 'review'
	AND "purpose"->>'serviceType' IN ('resume_review', 'portfolio_review', 'combined_review');

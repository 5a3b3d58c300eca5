CREATE TABLE "remark_outcomes" (
	"review_id" uuid NOT NULL,
	"remark_id" uuid NOT NULL,
	"outcome" text,
	"note" text,
	"part" text,
	"page" integer,
	"x" double precision,
	"y" double precision,
	"width" double precision,
	"height" double precision,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "remark_outcomes_review_id_remark_id_pk" PRIMARY KEY("review_id","remark_id"),
	CONSTRAINT "remark_outcomes_outcome_known" CHECK ("remark_outcomes"."outcome" in ('solved', 'partly', 'open')),
	CONSTRAINT "remark_outcomes_place" CHECK (("remark_outcomes"."part" is null) = ("remark_outcomes"."page" is null)
        and num_nulls("remark_outcomes"."x", "remark_outcomes"."y", "remark_outcomes"."width", "remark_outcomes"."height") in (0, 4)
        and ("remark_outcomes"."page" is not null or "remark_outcomes"."x" is null))
);
--> statement-breakpoint
-- Drafts are few, so their new index is built here.
DROP INDEX "review_drafts_user_type";--> statement-breakpoint
ALTER TABLE "review_drafts" ADD COLUMN "second_look_of" uuid;--> statement-breakpoint
ALTER TABLE "review_orders" ADD COLUMN "second_look_of" uuid;--> statement-breakpoint
ALTER TABLE "service_reviews" ADD COLUMN "second_look_of" uuid;--> statement-breakpoint
ALTER TABLE "remark_outcomes" ADD CONSTRAINT "remark_outcomes_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remark_outcomes" ADD CONSTRAINT "remark_outcomes_remark_id_review_remarks_id_fk" FOREIGN KEY ("remark_id") REFERENCES "public"."review_remarks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "remark_outcomes_remark" ON "remark_outcomes" USING btree ("remark_id");--> statement-breakpoint
ALTER TABLE "review_drafts" ADD CONSTRAINT "review_drafts_second_look_of_service_reviews_id_fk" FOREIGN KEY ("second_look_of") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "review_orders" ADD CONSTRAINT "review_orders_second_look_of_service_reviews_id_fk" FOREIGN KEY ("second_look_of") REFERENCES "public"."service_reviews"("id") ON DELETE set null ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "service_reviews" ADD CONSTRAINT "service_reviews_second_look_of_service_reviews_id_fk" FOREIGN KEY ("second_look_of") REFERENCES "public"."service_reviews"("id") ON DELETE set null ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "review_drafts" ADD CONSTRAINT "review_drafts_user_type" UNIQUE NULLS NOT DISTINCT("user_id","service_type","second_look_of");
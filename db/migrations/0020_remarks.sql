CREATE TABLE "review_remarks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"review_id" uuid NOT NULL,
	"author_id" uuid,
	"part" text,
	"page" integer,
	"image_id" uuid,
	"x" double precision,
	"y" double precision,
	"width" double precision,
	"height" double precision,
	"severity" text NOT NULL,
	"criterion" text,
	"text" text NOT NULL,
	"quote" text,
	"suggestion" text,
	"rank" smallint,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "review_remarks_target" CHECK (("review_remarks"."part" is null) = ("review_remarks"."page" is null) and ("review_remarks"."page" is null or "review_remarks"."image_id" is null)),
	CONSTRAINT "review_remarks_area" CHECK (num_nulls("review_remarks"."x", "review_remarks"."y", "review_remarks"."width", "review_remarks"."height") in (0, 4)),
	CONSTRAINT "review_remarks_severity_known" CHECK ("review_remarks"."severity" in ('must', 'should', 'idea', 'keep')),
	CONSTRAINT "review_remarks_rank_range" CHECK ("review_remarks"."rank" between 1 and 3)
);
--> statement-breakpoint
CREATE TABLE "review_scores" (
	"review_id" uuid NOT NULL,
	"criterion" text NOT NULL,
	"score" smallint NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "review_scores_review_id_criterion_pk" PRIMARY KEY("review_id","criterion"),
	CONSTRAINT "review_scores_range" CHECK ("review_scores"."score" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "reviewer_phrases" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "review_remarks" ADD CONSTRAINT "review_remarks_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_remarks" ADD CONSTRAINT "review_remarks_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_remarks" ADD CONSTRAINT "review_remarks_image_id_review_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."review_images"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_scores" ADD CONSTRAINT "review_scores_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviewer_phrases" ADD CONSTRAINT "reviewer_phrases_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "review_remarks_review" ON "review_remarks" USING btree ("review_id","created_at","id");--> statement-breakpoint
CREATE INDEX "review_remarks_image" ON "review_remarks" USING btree ("image_id");--> statement-breakpoint
CREATE UNIQUE INDEX "review_remarks_rank" ON "review_remarks" USING btree ("review_id","rank") WHERE "review_remarks"."rank" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reviewer_phrases_text" ON "reviewer_phrases" USING btree ("user_id",md5("text"));
CREATE TABLE "review_briefs" (
	"review_id" uuid PRIMARY KEY NOT NULL,
	"role" text,
	"company" text,
	"years" smallint
);
--> statement-breakpoint
CREATE TABLE "review_questions" (
	"review_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"question" text NOT NULL,
	"answer" text,
	"answered_at" timestamp (3) with time zone,
	CONSTRAINT "review_questions_review_id_position_pk" PRIMARY KEY("review_id","position"),
	CONSTRAINT "review_questions_position" CHECK ("review_questions"."position" between 1 and 3)
);
--> statement-breakpoint
CREATE TABLE "review_ratings" (
	"review_id" uuid PRIMARY KEY NOT NULL,
	"rating" smallint NOT NULL,
	"words" text,
	"rated_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone,
	CONSTRAINT "review_ratings_range" CHECK ("review_ratings"."rating" between 1 and 5)
);
--> statement-breakpoint
ALTER TABLE "review_drafts" ADD COLUMN "brief" jsonb;--> statement-breakpoint
ALTER TABLE "review_orders" ADD COLUMN "brief" jsonb;--> statement-breakpoint
ALTER TABLE "review_briefs" ADD CONSTRAINT "review_briefs_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_questions" ADD CONSTRAINT "review_questions_review_id_review_briefs_review_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."review_briefs"("review_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_ratings" ADD CONSTRAINT "review_ratings_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;
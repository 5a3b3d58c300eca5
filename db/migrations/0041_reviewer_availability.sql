CREATE TABLE "reviewer_availability" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"away_until" date,
	"reviews_a_day" smallint,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reviewer_availability_reviews_a_day" CHECK ("reviewer_availability"."reviews_a_day" between 1 and 50)
);
--> statement-breakpoint
ALTER TABLE "reviewer_availability" ADD CONSTRAINT "reviewer_availability_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
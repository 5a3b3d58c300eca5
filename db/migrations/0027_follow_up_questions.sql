CREATE TABLE "follow_up_questions" (
	"review_id" uuid PRIMARY KEY NOT NULL,
	"question" text NOT NULL,
	"remark_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"asked_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"reviewer_id" uuid,
	"answer" text DEFAULT '' NOT NULL,
	"answer_remark_id" uuid,
	"answer_version" integer DEFAULT 0 NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"answered_by" uuid,
	CONSTRAINT "follow_up_questions_asked" CHECK (num_nulls("follow_up_questions"."asked_at", "follow_up_questions"."due_at") in (0, 2)),
	CONSTRAINT "follow_up_questions_answered" CHECK ("follow_up_questions"."answered_at" is null or "follow_up_questions"."asked_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "review_shares" ADD COLUMN "with_question" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "follow_up_questions" ADD CONSTRAINT "follow_up_questions_review_id_service_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."service_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follow_up_questions" ADD CONSTRAINT "follow_up_questions_remark_id_review_remarks_id_fk" FOREIGN KEY ("remark_id") REFERENCES "public"."review_remarks"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follow_up_questions" ADD CONSTRAINT "follow_up_questions_reviewer_id_users_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follow_up_questions" ADD CONSTRAINT "follow_up_questions_answer_remark_id_review_remarks_id_fk" FOREIGN KEY ("answer_remark_id") REFERENCES "public"."review_remarks"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follow_up_questions" ADD CONSTRAINT "follow_up_questions_answered_by_users_id_fk" FOREIGN KEY ("answered_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "follow_up_questions_due" ON "follow_up_questions" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "follow_up_questions_open" ON "follow_up_questions" USING btree ("due_at") WHERE asked_at is not null and answered_at is null;--> statement-breakpoint
CREATE INDEX "follow_up_questions_reviewer" ON "follow_up_questions" USING btree ("reviewer_id","due_at");--> statement-breakpoint
CREATE INDEX "follow_up_questions_answered_by" ON "follow_up_questions" USING btree ("answered_by");--> statement-breakpoint
CREATE INDEX "follow_up_questions_remark" ON "follow_up_questions" USING btree ("remark_id");--> statement-breakpoint
CREATE INDEX "follow_up_questions_answer_remark" ON "follow_up_questions" USING btree ("answer_remark_id");
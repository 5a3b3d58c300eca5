CREATE TABLE "payouts" (
	"reviewer_id" uuid NOT NULL,
	"month" text NOT NULL,
	"paise" integer NOT NULL,
	"paid_on" date NOT NULL,
	"reference" text NOT NULL,
	"recorded_by" uuid,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payouts_reviewer_id_month_pk" PRIMARY KEY("reviewer_id","month"),
	CONSTRAINT "payouts_month_valid" CHECK ("payouts"."month" ~ '^20\d\d-(0[1-9]|1[0-2])$'),
	CONSTRAINT "payouts_paise_positive" CHECK ("payouts"."paise" > 0)
);
--> statement-breakpoint
CREATE TABLE "reviewer_pans" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"sealed_pan" "bytea" NOT NULL,
	"key_id" text NOT NULL,
	"saved_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "review_assignments" ADD COLUMN "fee_paise" integer;--> statement-breakpoint
ALTER TABLE "review_assignments" ADD COLUMN "fee_taken_back_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "review_assignments" ADD COLUMN "fee_taken_back_reason" text;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_reviewer_id_users_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_recorded_by_users_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviewer_pans" ADD CONSTRAINT "reviewer_pans_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payouts_recorder" ON "payouts" USING btree ("recorded_by");
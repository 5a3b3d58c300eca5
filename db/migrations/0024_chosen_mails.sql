CREATE TABLE "chosen_mails" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"choice" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"notified_until" timestamp (3) with time zone,
	CONSTRAINT "chosen_mails_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
ALTER TABLE "chosen_mails" ADD CONSTRAINT "chosen_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chosen_mails_gathered" ON "chosen_mails" USING btree ("kind","notified_until") WHERE notified_until is not null;--> statement-breakpoint
CREATE INDEX "service_reviews_open" ON "service_reviews" USING btree ("id") WHERE status <> 'completed' and due_at is not null;
CREATE TABLE "account_uses" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"warned_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "account_uses" ADD CONSTRAINT "account_uses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_uses_day" ON "account_uses" USING btree ("day");
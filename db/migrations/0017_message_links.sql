CREATE TABLE "message_links" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"share_id" uuid
);
--> statement-breakpoint
ALTER TABLE "message_links" ADD CONSTRAINT "message_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_links" ADD CONSTRAINT "message_links_share_id_review_shares_id_fk" FOREIGN KEY ("share_id") REFERENCES "public"."review_shares"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_links_share" ON "message_links" USING btree ("share_id");
CREATE TABLE "data_exports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"started_by" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"state" text DEFAULT 'preparing' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"size" bigint,
	"ready_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "data_exports_starter_known" CHECK ("data_exports"."started_by" in ('person', 'staff')),
	CONSTRAINT "data_exports_state_known" CHECK ("data_exports"."state" in ('preparing', 'ready', 'failed', 'expired')),
	CONSTRAINT "data_exports_ready" CHECK ("data_exports"."state" <> 'ready' or ("data_exports"."size" is not null and "data_exports"."ready_at" is not null and "data_exports"."expires_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "data_exports_user" ON "data_exports" USING btree ("user_id","requested_at");--> statement-breakpoint
CREATE INDEX "data_exports_requested" ON "data_exports" USING btree ("requested_at");--> statement-breakpoint
CREATE INDEX "data_exports_preparing" ON "data_exports" USING btree ("requested_at") WHERE state = 'preparing';
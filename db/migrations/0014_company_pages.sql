CREATE TABLE "company_changes" (
	"company_id" uuid PRIMARY KEY NOT NULL,
	"version" uuid DEFAULT gen_random_uuid() NOT NULL,
	"base_version" text NOT NULL,
	"name" text NOT NULL,
	"website" text NOT NULL,
	"about" text NOT NULL,
	"logo_hash" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"submitted_by" uuid,
	"sent_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "company_changes_state_known" CHECK ("company_changes"."state" in ('waiting', 'returned')),
	CONSTRAINT "company_changes_reason" CHECK (("company_changes"."state" = 'returned') = ("company_changes"."reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "company_logos" (
	"company_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"picture" "bytea" NOT NULL,
	CONSTRAINT "company_logos_company_id_hash_pk" PRIMARY KEY("company_id","hash"),
	CONSTRAINT "company_logos_small" CHECK (octet_length("company_logos"."picture") <= 40960)
);
--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "logo_hash" text;--> statement-breakpoint
ALTER TABLE "company_changes" ADD CONSTRAINT "company_changes_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "company_changes" ADD CONSTRAINT "company_changes_submitted_by_users_id_fk" FOREIGN KEY ("submitted_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "company_logos" ADD CONSTRAINT "company_logos_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "company_changes_waiting" ON "company_changes" USING btree ("sent_at","company_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "company_changes_submitted_by" ON "company_changes" USING btree ("submitted_by") WHERE submitted_by is not null;
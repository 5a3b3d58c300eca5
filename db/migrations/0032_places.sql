CREATE TABLE "places" (
	"id" integer PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"parent" integer,
	"country" text NOT NULL,
	"north" double precision,
	"east" double precision,
	CONSTRAINT "places_slug" UNIQUE("slug"),
	CONSTRAINT "places_kind_known" CHECK ("places"."kind" in ('city', 'state', 'country')),
	CONSTRAINT "places_id_range" CHECK ("places"."id" between 1 and 89999999),
	CONSTRAINT "places_parent_known" CHECK (("places"."parent" is null) = ("places"."kind" = 'country'))
);
--> statement-breakpoint
ALTER TABLE "places" ADD CONSTRAINT "places_parent" FOREIGN KEY ("parent") REFERENCES "public"."places"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "places_children" ON "places" USING btree ("parent");
CREATE TABLE "address_changes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"old_email" text NOT NULL,
	"new_email" text NOT NULL,
	"confirm_hash" text NOT NULL,
	"reverse_hash" text,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"reversal_asked_at" timestamp (3) with time zone,
	"reversed_at" timestamp (3) with time zone,
	CONSTRAINT "address_changes_confirm_hash_unique" UNIQUE("confirm_hash"),
	CONSTRAINT "address_changes_reverse_hash_unique" UNIQUE("reverse_hash")
);
--> statement-breakpoint
ALTER TABLE "address_changes" ADD CONSTRAINT "address_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "address_changes_open" ON "address_changes" USING btree ("user_id") WHERE confirmed_at is null;--> statement-breakpoint
CREATE INDEX "address_changes_confirmed" ON "address_changes" USING btree ("user_id","confirmed_at");--> statement-breakpoint
-- The alerts of an account go to its address. One that the new address has already is stopped.
CREATE FUNCTION move_alerts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE alerts SET state = 'stopped', stopped_at = now()
  WHERE user_id = NEW.id AND state <> 'stopped' AND EXISTS (
    SELECT FROM alerts other WHERE other.email = NEW.email AND other.query = alerts.query AND other.state <> 'stopped'
      AND other.id <> alerts.id);
  UPDATE alerts SET email = NEW.email WHERE user_id = NEW.id;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER changed_address_moves_alerts AFTER UPDATE OF email ON users
FOR EACH ROW WHEN (NEW.email IS DISTINCT FROM OLD.email) EXECUTE FUNCTION move_alerts();

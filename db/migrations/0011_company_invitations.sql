CREATE TABLE "company_invitations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"company_id" uuid NOT NULL,
	"work_email" text NOT NULL,
	"invited_by" uuid NOT NULL,
	"invited_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "company_invitations_email" UNIQUE("company_id","work_email"),
	CONSTRAINT "company_invitations_lower_case" CHECK ("company_invitations"."work_email" = lower("company_invitations"."work_email"))
);
--> statement-breakpoint
ALTER TABLE "company_invitations" ADD CONSTRAINT "company_invitations_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "company_invitations" ADD CONSTRAINT "company_invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "company_invitations_invited_by" ON "company_invitations" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "company_invitations_invited_at" ON "company_invitations" USING btree ("invited_at");--> statement-breakpoint
-- Locks the companies first, as every change of a team does, so that no two transactions block each other.
CREATE OR REPLACE FUNCTION end_memberships() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM companies
  WHERE id IN (SELECT company_id FROM company_members WHERE user_id = OLD.id)
  ORDER BY id FOR NO KEY UPDATE;
  DELETE FROM company_members WHERE user_id = OLD.id;
  RETURN OLD;
END
$$;--> statement-breakpoint
CREATE TRIGGER deletions_end_memberships BEFORE DELETE ON users
FOR EACH ROW EXECUTE FUNCTION end_memberships();--> statement-breakpoint
-- A company keeps an owner: the member of the longest standing, if the last one is gone.
CREATE FUNCTION ensure_company_owner(company uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE company_members SET role = 'owner'
  WHERE id = (
    SELECT id FROM company_members WHERE company_id = company AND approved_at IS NOT NULL
    ORDER BY approved_at, id LIMIT 1
  ) AND NOT EXISTS (
    SELECT FROM company_members
    WHERE company_id = company AND approved_at IS NOT NULL AND role = 'owner'
  )
$$;--> statement-breakpoint
-- A member who is gone no longer vouches for the people they invited.
CREATE FUNCTION member_is_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM companies WHERE id = OLD.company_id FOR NO KEY UPDATE;
  DELETE FROM company_invitations WHERE company_id = OLD.company_id AND invited_by = OLD.user_id;
  PERFORM ensure_company_owner(OLD.company_id);
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER gone_members_pass_on AFTER DELETE ON company_members
FOR EACH ROW WHEN (OLD.approved_at IS NOT NULL) EXECUTE FUNCTION member_is_gone();--> statement-breakpoint
SELECT ensure_company_owner(id) FROM companies;

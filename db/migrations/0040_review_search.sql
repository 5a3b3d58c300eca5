-- The texts by which reviews are searched are in the review itself, so that one index finds them.
CREATE FUNCTION customer_text(person uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT search_form(users.email || E'\n' || coalesce(profiles.full_name, ''))
    FROM users LEFT JOIN profiles ON profiles.id = users.id WHERE users.id = person
  ), '')
$$;--> statement-breakpoint
ALTER TABLE "service_reviews" ADD COLUMN "search_text" text;--> statement-breakpoint
UPDATE "service_reviews" SET "search_text" = customer_text("user_id");--> statement-breakpoint
CREATE FUNCTION copy_customer_to_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := customer_text(NEW.user_id);
  RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER copied_customer BEFORE INSERT OR UPDATE OF user_id ON service_reviews
FOR EACH ROW EXECUTE FUNCTION copy_customer_to_review();--> statement-breakpoint
CREATE FUNCTION copy_customer_to_reviews() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  person uuid := coalesce(NEW.id, OLD.id);
BEGIN
  UPDATE service_reviews SET search_text = customer_text(person) WHERE user_id = person;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER changed_customer_email AFTER UPDATE OF email ON users
FOR EACH ROW EXECUTE FUNCTION copy_customer_to_reviews();--> statement-breakpoint
CREATE TRIGGER changed_customer_name AFTER INSERT OR UPDATE OF full_name OR DELETE ON profiles
FOR EACH ROW EXECUTE FUNCTION copy_customer_to_reviews();--> statement-breakpoint
ALTER TABLE "service_reviews" ALTER COLUMN "search_text" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "service_reviews_search" ON "service_reviews" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "service_reviews_search_short" ON "service_reviews" USING gin (pairs_in("search_text"));

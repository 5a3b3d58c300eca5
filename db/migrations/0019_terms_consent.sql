ALTER TABLE "consents" DROP CONSTRAINT "consents_purpose_known";--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_purpose_known" CHECK ("consents"."purpose" in ('account', 'adult', 'terms', 'mails', 'alerts', 'contact', 'share', 'sample'));--> statement-breakpoint
-- The box of the sign-up form has always named the terms too.
INSERT INTO consents (user_id, purpose, notice_version, given_at, how)
SELECT user_id, 'terms', notice_version, given_at, how FROM consents
WHERE purpose = 'account' AND how = 'sign-up' AND withdrawn_at IS NULL AND user_id IS NOT NULL;

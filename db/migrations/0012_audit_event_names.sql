ALTER TABLE "audit_events" RENAME COLUMN "deed" TO "event";--> statement-breakpoint
ALTER TABLE "audit_events" RENAME CONSTRAINT "audit_events_deed_named" TO "audit_events_event_named";

/** All tables, for the query builder and for generating migrations. */
export * from "../app/platform/tables.server.ts";
export * from "../app/accounts/tables.server.ts";
export * from "../app/accounts/consents/tables.server.ts";
export * from "../app/files/tables.server.ts";
export * from "../app/jobs/tables.server.ts";
export * from "../app/jobs/places/tables.server.ts";
export * from "../app/mail/tables.server.ts";
export * from "../app/payments/tables.server.ts";
export * from "../app/payments/refunds/tables.server.ts";
export * from "../app/reviews/tables.server.ts";
export * from "../app/annotations/tables.server.ts";
export * from "../app/annotations/share/tables.server.ts";
export * from "../app/support/tables.server.ts";
export * from "../app/checks/tables.server.ts";
export * from "../app/checks/question/tables.server.ts";
export * from "../app/seekers/tracker/tables.server.ts";
export * from "../app/seekers/alerts/tables.server.ts";

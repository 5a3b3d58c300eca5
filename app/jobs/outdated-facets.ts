import { facets } from "./details.ts";

/**
 * The SQL condition of listings that the latest version of the trigger `set_job_facets` hasn't written. The index
 * `jobs_outdated_facets` has the same condition, so that a task finds them without reading the table.
 */
export const outdatedFacets = `not facets @> '{${facets.current}}'`;

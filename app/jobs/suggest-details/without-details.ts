/**
 * The SQL condition of open listings that state nothing in a structured way. The index `jobs_without_details` has the
 * same condition, so that PostgreSQL finds them without reading the table.
 */
export const withoutDetails =
  "not is_archived and discipline is null and work_mode is null and experience_min is null and " +
  "experience_max is null and pay_period is null and place_ids = '{}' and applicant_place_ids = '{}' and " +
  "skill_ids = '{}'";

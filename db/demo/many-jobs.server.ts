import { sql } from "drizzle-orm";
import type { Database } from "../../app/platform/database.server.ts";
import { createDetails, detailColumns } from "./many-details.server.ts";
import { fillFast } from "./fill-fast.server.ts";
import { companyTables, insertManyCompanies } from "./many-companies.server.ts";

/** Search words in a third and a tenth of the jobs, in 5 and in 10 of 100,000. All jobs contain "design". */
export const knownWords = {
  common: "figma",
  frequent: "kerning",
  rare: "letterpress",
  tiny: "3d",
} as const;

const titles = [
  "Product Designer",
  "UX Designer",
  "UI Designer",
  "Graphic Designer",
  "Brand Designer",
  "Motion Designer",
  "UX Researcher",
  "Service Designer",
  "Industrial Designer",
  "Type Designer",
  "Design Lead",
  "Illustrator",
  "Content Designer",
  "Textile Designer",
  "Packaging Designer",
  "Game UI Artist",
  "Design Engineer",
  "Visual Designer",
];
const cities = [
  "Bengaluru",
  "Mumbai",
  "Pune",
  "Hyderabad",
  "New Delhi",
  "Chennai",
  "Jaipur",
  "Ahmedabad",
  "Kochi",
  "Remote",
];
const syllables = [
  "ka",
  "mo",
  "ri",
  "ta",
  "ne",
  "sha",
  "vi",
  "lo",
  "pra",
  "du",
  "gen",
  "hul",
  "bar",
  "cep",
  "wim",
];

/**
 * Fills the board with generated jobs for benchmarks, the same ones at each call: a minute apart, the newest at
 * `until`, every twentieth archived, all posted by the first job-board adder. Most summaries have 120 characters,
 * a sixteenth of them 400, as in the demo. Their details repeat after 4,096 sets.
 *
 * @param options.withCompanies whether companies posted two fifths of them
 */
export async function insertManyJobs(
  db: Database,
  count: number,
  until: Date,
  { withCompanies = false } = {},
): Promise<void> {
  await fillFast(db, ["jobs", ...(withCompanies ? companyTables : [])], () =>
    db.transaction(async (tx) => {
      await insertSentences(tx);
      await insertJobs(tx, { count, until, details: await createDetails(tx, count) });
      if (withCompanies) await insertManyCompanies(tx, count, until);
    }),
  );
}

const sentences = 4096;

/** Inserts generated sentences from which the descriptions are built. */
async function insertSentences(tx: Database): Promise<void> {
  await tx.execute(sql`
    create temp table sentences on commit drop as
    select number, initcap(min(word)) || ' ' || string_agg(word, ' ' order by place) || '.' as words
    from generate_series(0, ${sentences - 1}::integer) number
    cross join generate_series(1, 14) place
    cross join lateral (select hashint8extended(number::bigint * 61 + place, 11) as draw) as drawn
    cross join lateral (
      select ${syllable(sql`draw`)} || ${syllable(sql`draw / 15`)} ||
        case when draw % 2 = 0 then ${syllable(sql`draw / 225`)} else '' end as word
    ) as made
    group by number`);
  await tx.execute(sql`analyze sentences`);
}

async function insertJobs(
  tx: Database,
  { count, until, details }: { count: number; until: Date; details: number },
): Promise<void> {
  await tx.execute(sql`
    insert into jobs (title, company, location, compensation, description, large_description,
                      poc_name, poc_contact, portal_application_link, posted_at, published_at, check_due_at,
                      is_archived, created_by, ${detailColumns})
    select
      ${anyOf(titles, 1)},
      initcap(${anyOf(syllables, 2)} || ${anyOf(syllables, 3)} || ${anyOf(syllables, 4)}) || ' Studio ' || n % 977,
      ${anyOf(cities, 5)},
      case when ${randomPercent(7)} < 60 then '₹' || 3 + ${randomPercent(8)} % 40 || ' LPA' end,
      story.words,
      concat_ws(E'\n\n', story.words, first.words, second.words, third.words, fourth.words, story.words),
      'Sample Person', 'person' || n || '@example.com', 'https://example.com/jobs/' || n,
      posted.at, posted.at, ${until.toISOString()}::timestamptz + (n % 20160 - 1440) * interval '1 minute',
      ${randomPercent(9)} < 5,
      (select user_id from staff_roles where role = 'job_board_adder' order by created_at, user_id limit 1),
      ${detailColumns}
    from generate_series(1, ${count}::integer) n
    join sentences first on first.number = ${sentence(12)}
    join sentences second on second.number = ${sentence(13)}
    join sentences third on third.number = ${sentence(14)}
    join sentences fourth on fourth.number = ${sentence(15)}
    join details on details.number = abs(hashint8extended(n::bigint, 16) % ${sql.raw(String(details))})
    cross join lateral (select ${until.toISOString()}::timestamptz - n * interval '1 minute' as at) as posted
    cross join lateral (
      select concat_ws(' ', 'We design with care.', first.words,
        case when n % 8 = 7 then second.words end,
        case when n % 16 = 15 then third.words || ' ' || fourth.words end,
        case when ${randomPercent(10)} < 30 then ${knownWords.common} end,
        case when ${randomPercent(17)} < 10 then ${knownWords.frequent} end,
        case when n % 20000 = 19999 then ${knownWords.rare} end,
        case when n % 10000 = 9999 then ${knownWords.tiny} end) as words
    ) as story`);
}

function anyOf(words: string[], seed: number) {
  return sql`(array[${sql.join(
    words.map((word) => sql`${word}`),
    sql`, `,
  )}])[1 + ${randomPercent(seed)} % ${sql.raw(String(words.length))}]`;
}

/** Returns a number from 0 to 99 that depends only on the row and the seed. */
function randomPercent(seed: number) {
  return sql`(abs(hashint8extended(n::bigint, ${sql.raw(String(seed))}) % 100))`;
}

function syllable(draw: ReturnType<typeof sql>) {
  return sql`(array[${sql.join(
    syllables.map((part) => sql`${part}`),
    sql`, `,
  )}])[1 + abs(${draw} % 15)]`;
}

function sentence(seed: number) {
  return sql`(abs(hashint8extended(n::bigint, ${sql.raw(String(seed))}) % ${sql.raw(String(sentences))}))`;
}

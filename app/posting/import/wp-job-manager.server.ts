import sax from "sax";
import { payPeriods } from "../../jobs/details.ts";
import { Invalid } from "../../platform/errors.ts";
import { toPlainText, toListingTexts } from "./html-text.server.ts";
import { findJobType, toLocationFields, toPayFields } from "./source-details.server.ts";
import { RowError, type SourceFile, type SourceRow } from "./source-rows.server.ts";

/** A post of a WordPress export. */
type Post = {
  line: number;
  /** The text of its elements by name, such as "wp:post_type". */
  elements: Record<string, string>;
  /** Custom fields by key, such as "_job_location". */
  custom: Record<string, string>;
  jobTypes: string[];
};

/**
 * Reads a WordPress export with the listings of WP Job Manager. Only published ones that aren't filled count.
 *
 * @see https://github.com/Automattic/WP-Job-Manager
 * @throws {Invalid} for a file that is no export, isn't well formed, or has a document type, whose entities could be endless
 */
export function readWordPressExport(text: string): SourceFile {
  const file: SourceFile = { rows: [], refused: [], ignoredColumns: [] };
  const { site, posts } = parseExport(text);
  for (const post of posts) {
    const { elements, custom } = post;
    const isShown = elements["wp:status"] === "publish" && custom["_filled"] !== "1";
    if (elements["wp:post_type"] !== "job_listing" || !isShown) continue;
    const key = { externalId: elements["wp:post_id"] ?? "", board: getHost(site) };
    try {
      file.rows.push({ line: post.line, ...key, ...toPostRow(post) });
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      file.refused.push({ line: post.line, problem: error.message, externalId: key.externalId });
    }
  }
  return file;
}

function getHost(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : "";
}

/** Reads the elements of an export. @throws {Invalid} with the line of a problem */
function parseExport(text: string): { site: string; posts: Post[] } {
  const parser = sax.parser(true, { strictEntities: true } as sax.SAXOptions);
  const posts: Post[] = [];
  const open: string[] = [];
  let site = "";
  let post: Post | null = null;
  let content = "";
  let customKey = "";
  let isJobType = false;
  const addContent = (part: string) => {
    content += part;
  };
  const fail = (problem: string) => {
    throw new Invalid({ file: `Line ${parser.line + 1}: ${problem}` });
  };
  Object.assign(parser, {
    ondoctype: () => fail("A document type (<!DOCTYPE>) is refused. A WordPress export has none."),
    onerror: ({ message }: Error) => fail(`This isn't valid XML: ${message.split("\n")[0]}.`),
    onopentag({ name, attributes }: sax.Tag) {
      if (open.length === 0 && name !== "rss")
        fail("This isn't a WordPress export. Create one under Tools, Export.");
      open.push(name);
      content = "";
      if (name === "item") post = { line: parser.line + 1, elements: {}, custom: {}, jobTypes: [] };
      isJobType = name === "category" && attributes["domain"] === "job_listing_type";
    },
    ontext: addContent,
    oncdata: addContent,
    onclosetag(name: string) {
      open.pop();
      const parent = open.at(-1);
      if (name === "item" && post) {
        posts.push(post);
        post = null;
      } else if (parent === "channel" && name === "link") site = content.trim();
      else if (!post) return;
      else if (name === "wp:meta_key") customKey = content;
      else if (name === "wp:meta_value") post.custom[customKey] = content;
      else if (isJobType && name === "category") post.jobTypes.push(content);
      else if (parent === "item") post.elements[name] = content;
    },
  });
  parser.write(text).close();
  return { site, posts };
}

const isEmail = /^[^\s@]+@[^\s@]+$/;

function toPostRow({
  elements,
  custom,
  jobTypes,
}: Post): Omit<SourceRow, "line" | "externalId" | "board"> {
  const application = (custom["_application"] ?? "").trim();
  const url = (elements["link"] ?? "").trim();
  const jobType = jobTypes.map(findJobType).find(Boolean);
  const period = custom["_job_salary_unit"]?.toLowerCase();
  const pay = Number(custom["_job_salary"]?.replaceAll(",", "") || Number.NaN);
  const mode = custom["_remote_position"] === "1" ? "remote" : null;
  const closesOn = custom["_job_expires"];
  return {
    url,
    company: custom["_company_name"]?.trim() || null,
    fields: {
      title: toPlainText(elements["title"] ?? ""),
      ...(jobType && { jobType }),
      ...toLocationFields((custom["_job_location"] ?? "").trim(), mode),
      ...toListingTexts(toPlainText(toParagraphs(elements["content:encoded"] ?? ""))),
      ...(Number.isFinite(pay)
        ? toPayFields({
            min: pay,
            max: pay,
            currency: custom["_job_salary_currency"],
            period: payPeriods.find((option) => option === period),
          })
        : custom["_job_salary"] && { compensation: custom["_job_salary"] }),
      ...(closesOn && { closesOn }),
      ...(isEmail.test(application)
        ? { pocContact: application, portalApplicationLink: "" }
        : { portalApplicationLink: application || url }),
    },
  };
}

const block = "(?:p|ul|ol|li|div|h[1-6]|table|tr|td|th|thead|tbody|blockquote|section|figure)";
const betweenBlocks = new RegExp(
  String.raw`(?<!<\/?${block}\b[^<>]*>|-->)[ \t]*\r?\n(?!\s*<(?:!--|\/?${block}\b))`,
  "gi",
);

/** WordPress stores paragraphs as lines, and only makes tags of them when it shows a post. */
function toParagraphs(content: string): string {
  return content.replace(betweenBlocks, "<br>\n");
}

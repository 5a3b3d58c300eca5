import { expect, test } from "vitest";
import {
  makeTextPdf,
  measure,
  type TextLine,
  wrap,
} from "../../../tests/support/documents/layouts.ts";
import { readPdf } from "../../files/inspect/read-pdf.server.ts";
import { hasColumnsReadAcross } from "./columns.server.ts";

const prose =
  "Led the design of forms for a bank with twelve million customers, and reduced the time to open an account " +
  "from nine minutes to four by removing steps that nobody needed. Ran interviews in five cities, wrote down " +
  "what people said about paper forms, and turned the results into a flow that works on slow phones too. " +
  "Worked with two engineers and a writer on a library of parts that six teams use today without asking us.";
const other =
  "Figma and some writing, workshops with teams of up to twenty people, and prototypes in code when a picture " +
  "is not enough. Taught a course on type and grids to students in their second year, gave talks at meetups " +
  "in Pune, and wrote about the search for a good default in forms. Reads novels, walks long distances and " +
  "draws maps of small towns from memory, which turned out to be useful for diagrams of services.";

const left = 50;
const right = 545;

type Column = TextLine[];

/** Lays a text out as lines of a column. */
function column(text: string, x: number, width: number, y = 150, step = 14): Column {
  return wrap(text, width).map((line, row) => ({ x, y: y + row * step, text: line }));
}

/** Lays items out as lines of a column. */
function list(items: string[], x: number, y = 150, step = 14): Column {
  return items.map((text, row) => ({ x, y: y + row * step, text }));
}

function alignRight(lines: Column): Column {
  return lines.map((line) => ({ ...line, x: right - measure(line.text, line.size) }));
}

/** Orders lines as they are seen: row by row, from left to right. */
function across(...columns: Column[]): Column {
  return columns.flat().toSorted((one, two) => one.y - two.y || one.x - two.x);
}

/** Writes the first line of each column, then the second, whatever their places. */
function alternating(...columns: Column[]): Column {
  const rows = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: rows }, (_, row) =>
    columns.flatMap((lines) => (lines[row] ? [lines[row]] : [])),
  ).flat();
}

const header: Column = [
  { x: left, y: 60, text: "Asha Verma", size: 22 },
  {
    x: left,
    y: 80,
    text: "Product designer for services that many people need and few enjoy, in Pune and elsewhere",
  },
];
const contact = list(
  [
    "asha@example.com",
    "+91 98765 43210",
    "linkedin.com/in/asha-verma",
    "asha.example.com",
    "Pune, India",
  ],
  400,
  60,
);
const skills = [
  "Figma",
  "Sketch",
  "Prototyping",
  "Research",
  "Type",
  "Grids",
  "Writing",
  "Workshops",
  "Code",
];

/** Jobs with a title, a date at the right edge, and bullets. */
function jobs(dates: string[], { indent = 12, bullets = true, place = "" } = {}): Column {
  let y = 150;
  return dates.flatMap((date, at) => {
    const title = { x: left, y, text: `Senior product designer, Company ${at + 1}` };
    const [dated] = alignRight([{ x: 0, y, text: date }]);
    y += 14;
    const where = place
      ? [{ x: left, y, text: "freelance and remote" }, ...alignRight([{ x: 0, y, text: place }])]
      : [];
    if (place) y += 14;
    const lines = wrap(prose, right - left - indent).map((text, row) => ({
      x: left + indent,
      y: y + row * 14,
      text,
    }));
    y += lines.length * 14 + 8;
    const points = bullets
      ? lines.slice(0, 1).map(({ y: top }) => ({ x: left, y: top, text: "•" }))
      : [];
    return [title, dated!, ...where, ...points, ...lines];
  });
}

const years = ["2021 – 2024", "2018 – 2021", "2016 – 2018"];
const months = ["Jan 2021 – Present", "August 2018 – Dec 2020", "May 2016 – Jul 2018"];

/** Rows with a name and a date, without anything between them. */
const education = (dates: string[], x?: number) => {
  const names = [
    "B.Des, National Institute of Design",
    "Class 12, Kendriya Vidyalaya",
    "Class 10, Kendriya Vidyalaya",
    "Diploma in type design",
    "Course on research methods",
  ];
  const own = dates.map((text, row) => ({
    x: x ?? right - measure(text),
    y: 150 + row * 14,
    text,
  }));
  return across(list(names.slice(0, dates.length), left), own);
};

const labels = ["Research", "Design", "Tools", "Languages", "Writing", "Teaching"];
const values = [
  "Interviews, surveys, diary studies and tests with people who never used the product",
  "Services, forms, flows, type, grids, icons and a library of parts for six teams",
  "Figma, Sketch, Miro, Notion, Photoshop, Illustrator, InDesign and After Effects",
  "English, Hindi, Marathi and enough German to order breakfast without a map",
  "Interface text, guides, release notes, articles and a book that is almost done",
  "Type, grids, sketching, prototypes and how to show work without fear of it",
];
/** A table of labels and values, whose values can take several lines. */
function table(width: number, x = 150): Column {
  let y = 150;
  return labels.flatMap((label, row) => {
    const lines = wrap(values[row]!, width).map((text, at) => ({ x, y: y + at * 14, text }));
    const first = { x: left, y, text: label };
    y += lines.length * 14;
    return [first, ...lines];
  });
}
function cells(columns: number, step: number): Column {
  const words = [
    ...skills,
    "Photoshop",
    "Illustrator",
    "InDesign",
    "Miro",
    "Notion",
    "Blender",
    "Webflow",
    "Framer",
    "Motion",
  ];
  return words.map((text, at) => ({
    x: left + (at % columns) * step,
    y: 150 + Math.floor(at / columns) * 14,
    text,
  }));
}

const one = column(prose, left, 230);
const two = column(other, 310, 235);
const three = [0, 1, 2].map((at) => column(at === 1 ? other : prose, left + at * 170, 155));
const narrowGutter = [column(prose, left, 240), column(other, 302, 240)];
const sidebarLeft = [list(skills, left), column(prose + other, 180, 365)];
const sidebarRight = [column(prose + other, left, 365), list(skills, 440)];
const proseSidebar = [column(other, left, 130), column(prose + other, 200, 345)];
const below = column(prose, left, 495, 620);
const shifted = two.map((line) => ({ ...line, y: line.y + 6 }));
const bulleted = (lines: Column): Column => [
  ...lines.slice(0, 1).map((line) => ({ ...line, x: line.x - 10, text: "•" })),
  ...lines,
];

test.each<[string, Column]>([
  ["one column", column(prose, left, 495)],
  ["one column with years at the right edge", jobs(years)],
  ["one column with months at the right edge", jobs(months)],
  ["one column without bullets and with dates", jobs(months, { bullets: false, indent: 0 })],
  ["one column with a date and a place at the right edge", jobs(months, { place: "Bengaluru" })],
  ["one column with dates in lines below each other", jobs(years, { place: "2019 – 2020" })],
  ["one column with two dates in a line", jobs(months.map((date) => `${date}   Pune, ${date}`))],
  ["one column with wide bullets", jobs(years, { indent: 40 })],
  [
    "one column with a long date",
    jobs(months.map((date) => `Bengaluru, India, full time, ${date}`)),
  ],
  [
    "education with years",
    education(["2012 – 2016", "2010 – 2012", "2008 – 2010", "2017", "2018 – 2019"]),
  ],
  [
    "education with years at a tab stop",
    education(["2012 – 2016", "2010 – 2012", "2008 – 2010", "2017 – 2018", "2018 – 2019"], 460),
  ],
  [
    "education with months at a tab stop",
    education(
      ["May 2012 – Jun 2016", "May 2010 – Jun 2012", "May 2008 – Jun 2010", "Jan 2017 – Feb 2018"],
      420,
    ),
  ],
  [
    "education with places and years",
    education(["Ahmedabad, 2016", "Pune, 2012", "Pune, 2010", "Reading, 2017"], 440),
  ],
  ["a table of labels and short values", table(390)],
  ["a table of labels and values of several lines", table(200)],
  ["a table with wide labels", table(200, 300)],
  ["a grid of two skills a row", cells(2, 240)],
  ["a grid of three skills a row", cells(3, 160)],
  ["a grid of six skills a row", cells(6, 82)],
  ["a header with contact details at the right", across(header, contact).concat(below)],
  [
    "a header with contact details at the right edge",
    across(header, alignRight(contact)).concat(below),
  ],
  [
    "dates at the left and their text at the right",
    table(280).map((line) => (line.x === left ? { ...line, text: "2019 – 2021" } : line)),
  ],
  ["two columns, one after the other", [...one, ...two]],
  ["two columns, the right one first", [...two, ...one]],
  ["two columns with a narrow gutter, one after the other", narrowGutter.flat()],
  ["a header above two columns, one after the other", [...header, ...one, ...two]],
  ["two columns above full lines", [...one, ...two, ...below]],
  ["a sidebar at the left, read first", sidebarLeft.flat()],
  ["a sidebar at the left, read last", sidebarLeft.toReversed().flat()],
  ["a sidebar at the right", sidebarRight.flat()],
  ["three columns, one after the other", three.flat()],
  [
    "a centred column",
    column(prose, left, 495).map((line) => ({ ...line, x: left + (495 - measure(line.text)) / 2 })),
  ],
  ["a column with wide lines", column(prose, left, 495, 150, 20)],
])("%s is not read across", async (_name, lines) => {
  expect(await isReadAcross(lines)).toBe(false);
});

test.each<[string, Column]>([
  ["two columns, row by row", across(one, two)],
  ["two columns, alternating", alternating(one, two)],
  ["two columns on different baselines", across(one, shifted)],
  ["two columns with a narrow gutter", across(...narrowGutter)],
  ["two columns with a wide gutter", across(column(prose, left, 200), column(other, 330, 215))],
  ["two columns of four lines", across(one.slice(0, 4), two.slice(0, 4))],
  ["two columns below a header", [...header, ...across(one, two)]],
  [
    "two columns between full lines",
    [...column(prose, left, 495, 60), ...across(one, two), ...below],
  ],
  ["two columns of unequal length", across(one, two.slice(0, 5))],
  [
    "two columns with bullets",
    across(bulleted(column(prose, left + 10, 220)), bulleted(column(other, 320, 225))),
  ],
  ["a sidebar of skills at the left", across(...sidebarLeft)],
  ["a sidebar of skills at the right", across(...sidebarRight)],
  ["a sidebar of text at the left", across(...proseSidebar)],
  ["three columns, row by row", across(...three)],
  ["three columns, alternating", alternating(...three)],
  ["two columns in small type", across(one, two).map((line) => ({ ...line, size: 8 }))],
  [
    "two columns with dates above them",
    [...education(years), ...across(column(prose, left, 230, 300), column(other, 310, 235, 300))],
  ],
])("%s are read across", async (_name, lines) => {
  expect(await isReadAcross(lines)).toBe(true);
});

async function isReadAcross(lines: Column): Promise<boolean> {
  const read = await readPdf(makeTextPdf(lines), { maxPages: 1 });
  if ("problem" in read) throw new Error(read.problem);
  return hasColumnsReadAcross(read.pages[0]!);
}

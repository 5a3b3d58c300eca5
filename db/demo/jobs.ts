import { noDetails } from "../../app/jobs/details.ts";
import { formatPay } from "../../app/jobs/pay.ts";
import type { jobs } from "../../app/jobs/tables.server.ts";
import { day } from "../../app/platform/clock.ts";
import { getDemoDetails } from "./job-details.ts";

type JobRow = typeof jobs.$inferInsert;

/** One job posting. `longText` builds its long description. */
type Posting = {
  title: string;
  company: string;
  location: string;
  /** Defaults to full-time. */
  type?: JobRow["jobType"];
  pay?: string;
  craft: keyof typeof crafts;
  /** The contact's first and last name. */
  person: string;
  summary: string;
  daysAgo: number;
  /** The fields that differ from most postings. */
  but?: Partial<JobRow>;
};

/**
 * Design jobs for the demo board: fictional companies and people, posted over the 90 days before `now`.
 *
 * @param adderId the person who posted two thirds of them
 * @param adminId the person who posted the others
 */
export function demoJobs(now: Date, adderId: string, adminId: string): JobRow[] {
  return postings.map((posting, index) => {
    const postedAt = new Date(now.getTime() - posting.daysAgo * day);
    return {
      title: posting.title,
      company: posting.company,
      location: posting.location,
      jobType: posting.type ?? "Full-time",
      ...getDetailsAndPay(posting),
      description: posting.summary,
      largeDescription: longText(posting),
      pocName: posting.person,
      pocContact: `${firstName(posting)}@${site(posting)}`,
      portalApplicationLink: `https://${site(posting)}/careers/${slug(posting.title)}`,
      directApplicationLink: null,
      createdBy: index % 3 === 2 ? adminId : adderId,
      postedAt,
      publishedAt: postedAt,
      isArchived: false,
      ...posting.but,
    };
  });
}

/** A listing whose details say the same pay has no text for it. */
function getDetailsAndPay({ title, company, type = "Full-time", pay }: Posting) {
  const details = getDemoDetails(title, company, type);
  const isRepeated = pay === formatPay({ ...noDetails, ...details });
  return { ...details, compensation: isRepeated ? null : (pay ?? null) };
}

function longText({ company, craft, type, pay }: Posting): string {
  const { work, person: profile } = crafts[craft];
  const hiring =
    type === "Internship" && pay
      ? `How we choose: A short call, a look at two pieces of your work that you enjoyed making, and a paid trial day with the team at ${company}. No unpaid assignments.`
      : `How we hire: A first call with the person you would work for, a portfolio conversation of an hour with two designers, and a final talk about the offer. We reply to everyone within ten days, and there are no unpaid assignments.`;
  return [`What you will do: ${work}`, `Who we look for: ${profile}`, hiring].join("\n\n");
}

function firstName({ person }: Posting): string {
  return (person.split(" ")[0] ?? person).toLowerCase();
}

function site({ company }: Posting): string {
  return `${slug(company)}.example.com`;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

const crafts = {
  product: {
    work: "You take problems from the first interview to the shipped screen: mapping the journey, sketching several solutions, testing them with people on their own phones, and working with the engineers until the last state is right. You document why decisions were made, so that the next designer doesn't have to guess.",
    person:
      "You have designed flows that people use every day and can show how they changed after you listened. You are at home in Figma, think in components without hiding behind them, and can explain a trade-off to someone who has never opened a design tool.",
  },
  research: {
    work: "You plan and run studies in homes, shops and offices, in at least two languages, and turn what you hear into findings that a product team can act on in the same week. You keep the library of what we already know, and you say no to studies that would only confirm it.",
    person:
      "You have run interviews, diary studies and usability tests on your own and have seen a finding change a plan. You write plainly, count carefully, and are comfortable telling a room something it hoped not to hear.",
  },
  brand: {
    work: "You draw the marks, set the type and write the rules of brands that have to work on a shop sign, a phone screen and a cardboard box. You see them through to the printer and the sign maker, and you come back a year later to look at what held.",
    person:
      "Your portfolio shows identities as systems and not as single logos, with at least one in an Indian script. You care for the space between letters and for the budget of the client in equal measure.",
  },
  graphic: {
    work: "You set books, posters, packs and reports, prepare them for print and for the screen, and speak with the printers yourself. Much of the work is typographic, in English and in one or two Indian languages.",
    person:
      "You set long text well, know what happens to a colour on uncoated paper, and keep tidy files that a colleague can open. InDesign and Illustrator are daily tools; drawing by hand is welcome.",
  },
  motion: {
    work: "You move from storyboard to final render: explainers, product films, interface motion and now and then a title sequence. You agree on timing with the sound designer, hand over Lottie files that engineers can use, and keep every movement shorter than it needs to be.",
    person:
      "Your reel is under ninety seconds and every second is there for a reason. You are fluent in After Effects, curious about Rive or Blender, and respect people who ask their devices for less motion.",
  },
  illustration: {
    work: "You make pictures that explain: covers, spreads, spot drawings and small scenes for screens. You work from a written brief, show rough ideas early, and deliver in layers with names.",
    person:
      "You have your own style and can set it aside when the story needs something else. You draw people of all ages and regions with care, and you keep deadlines because printers keep theirs.",
  },
  industrial: {
    work: "You take an object from a foam model to the first hundred pieces: form studies, CAD, prototypes in the workshop, and many visits to the people who will make it. You count parts, weigh them, and take some away.",
    person:
      "You build models with your hands and in Rhino or SolidWorks, know two or three manufacturing processes from the shop floor, and can read a drawing as well as make one.",
  },
  spatial: {
    work: "You plan rooms, routes and signs: survey the place, watch how people move through it, draw plans and elevations, choose materials that last a monsoon, and see the work built on site.",
    person:
      "You think in sections, detail well, and have at least one built project that you can walk us through. Site dust does not bother you; careless wayfinding does.",
  },
  systems: {
    work: "You look after the design system: tokens, components, patterns and the words that explain them. You pair with engineers on accessible behaviour, review what teams propose, and retire what is no longer needed.",
    person:
      "You have built or fixed a component library that others really used, can read HTML and CSS, and know the keyboard behaviour of a combobox without looking it up. You would rather remove an option than add one.",
  },
  content: {
    work: "You write the words of the product with its designers: labels, errors, emails and the first sentence of every empty screen, in English and Hindi. You keep the glossary, test words with readers, and fix the sentences that support has to explain.",
    person:
      "You have written for an interface and can show the version that did not work. You read your sentences aloud, know that translation begins with the source text, and are kind to people in a hurry.",
  },
  textile: {
    work: "You design seasons of prints and weaves with block printers and weavers: sketch repeats, match dyes, sit with the makers over samples, and prepare clean files and specification sheets.",
    person:
      "You know your way from a swatch to a production order, draw repeats that do not show, and have worked with a craft cluster. Respect for the maker's time and name is not negotiable here.",
  },
  game: {
    work: "You design menus, maps, icons and the hundred small answers that a game gives to a thumb. You prototype in the engine with one programmer and one sound designer, and test on three-year-old phones.",
    person:
      "You play attentively, can show interface work in motion, and have shipped something small: a jam game counts. Basic Unity or Godot skills are a plus.",
  },
} as const;

const intern = "Internship" as const;
const part = "Part-time" as const;

const postings: Posting[] = [
  {
    title: "Senior Product Designer",
    company: "Chaupal Health",
    location: "Bengaluru",
    pay: "₹28–36 LPA",
    craft: "product",
    person: "Ananya Kulkarni",
    daysAgo: 0.1,
    summary:
      "Design the app that community health workers open forty times a day, often outdoors, on old phones and with one hand. You own the visit flow from registration to follow-up, and you travel to Raichur and Tumakuru every month to see it used. The current version takes eleven taps to record a blood pressure; we believe in four. You join three designers, one researcher and twelve engineers who are used to being asked why, and you report to the head of product, who was a nurse for nine years.",
  },
  {
    title: "UX Designer",
    company: "Paisa Patri",
    location: "Mumbai",
    craft: "product",
    person: "Rohan Sequeira",
    daysAgo: 0.4,
    summary:
      "Make the monthly money of a household readable at a glance. Paisa Patri reads bills and statements and draws one page from them; you decide what is on that page.",
  },
  {
    title: "Brand Designer",
    company: "Studio Peepal",
    location: "Jaipur",
    pay: "₹9–12 LPA",
    craft: "brand",
    person: "Meher Rathore",
    daysAgo: 0.8,
    summary:
      "A studio of seven that makes identities for schools, museums and small manufacturers in Rajasthan looks for an eighth. Two scripts on every project, one of them Devanagari.",
  },
  {
    title: "UI Designer (Intern)",
    company: "Kirana Kart",
    location: "Hyderabad",
    type: intern,
    pay: "₹25,000 a month",
    craft: "product",
    person: "Sai Teja Varma",
    daysAgo: 1.1,
    summary:
      "Six months with the store-front team: icons, states, small flows and a lot of looking over shoulders in real kirana shops.",
  },
  {
    title: "हिन्दी Content Designer",
    company: "Saral Seva",
    location: "New Delhi",
    pay: "₹12–15 LPA",
    craft: "content",
    person: "Nidhi Tripathi",
    daysAgo: 1.5,
    summary:
      "सरकारी फ़ॉर्म को सरल भाषा में लिखिए। You rewrite public service forms so that a first-time reader gets through them without help, in Hindi first and in English second. डिज़ाइन और भाषा, दोनों आपके हाथ में।",
  },
  {
    title: "Motion Designer",
    company: "Tez Tara Films",
    location: "Mumbai",
    craft: "motion",
    person: "Farah Contractor",
    daysAgo: 1.9,
    summary:
      "Explainers and title sequences for documentaries about rivers, trains and cricket. A small room, good speakers, and films that end up in festivals.",
  },
  {
    title: "Product Designer, Payments",
    company: "Setu & Sons Ledger",
    location: "Bengaluru",
    pay: "₹22–30 LPA",
    craft: "product",
    person: "Karthik Raghavan",
    daysAgo: 2.2,
    summary:
      "Shopkeepers close their books with us at night. Help them finish ten minutes earlier: reconciliation, credit notes, and the screen no one wants to see, a failed settlement.",
  },
  {
    title: "UX Researcher",
    company: "Chaupal Health",
    location: "Bengaluru",
    pay: "₹18–24 LPA",
    craft: "research",
    person: "Ananya Kulkarni",
    daysAgo: 2.6,
    summary:
      "Field research with health workers and the families they visit, in Kannada and one more language. Half of the month on the road, half of it making sense of what you saw.",
  },
  {
    title: "Graphic Designer (part-time)",
    company: "Kagaz Katha",
    location: "Pune",
    type: part,
    pay: "₹40,000 a month",
    craft: "graphic",
    person: "Sharvari Bhide",
    daysAgo: 3.1,
    summary:
      "Three days a week on children's books in Marathi, Hindi and English. You set the text, place the pictures and smell the proofs.",
  },
  {
    title: "Industrial Designer",
    company: "Mitti Mould",
    location: "Ahmedabad",
    pay: "₹10–14 LPA",
    craft: "industrial",
    person: "Jignesh Vora",
    daysAgo: 3.4,
    summary:
      "Cookware and water vessels in clay and steel for Indian kitchens. The workshop is on the ground floor, the kiln is next door, and every designer makes a first model by hand.",
  },
  {
    title: "Design Systems Designer",
    company: "Rail Rekha",
    location: "New Delhi",
    pay: "₹24–32 LPA",
    craft: "systems",
    person: "Ishaan Bhatia",
    daysAgo: 3.8,
    summary:
      "One system for a booking site, a station kiosk, a conductor's handheld and a platform display, in twelve languages. You make the parts that fit all four, and you know which ones should never be shared.",
  },
  {
    title: "Illustrator",
    company: "Mango Leaf Press",
    location: "Kochi",
    type: part,
    craft: "illustration",
    person: "Anju Thomas",
    daysAgo: 4.3,
    summary:
      "Science for ten-year-olds, drawn with humour and without dinosaurs on every page. Forty spreads a year, credited on the cover.",
  },
  {
    title: "Service Designer",
    company: "Nagar Nakshatra",
    location: "Chennai",
    pay: "₹16–20 LPA",
    craft: "research",
    person: "Vaidehi Subramanian",
    daysAgo: 4.9,
    summary:
      "Redraw how a city ward handles a broken street lamp: the call, the van, the ladder, the spare part and the message that tells the caller it is done.",
  },
  {
    title: "Packaging Designer",
    company: "Elaichi & Co",
    location: "Mumbai",
    pay: "₹8–11 LPA",
    craft: "graphic",
    person: "Zubin Mistry",
    daysAgo: 5.3,
    summary:
      "Tea, spice and biscuit packs that are opened by hand, closed again and kept in the kitchen for a month. We print with five colours and no plastic window.",
  },
  {
    title: "Product Designer (Intern)",
    company: "Paisa Patri",
    location: "Mumbai",
    type: intern,
    pay: "₹30,000 a month",
    craft: "product",
    person: "Rohan Sequeira",
    daysAgo: 5.7,
    summary:
      "Four to six months beside the two designers who make the monthly page. You will ship something with your name in the release notes.",
  },
  {
    title: "Type Designer",
    company: "Akshar Foundry",
    location: "Pune",
    pay: "₹11–16 LPA",
    craft: "graphic",
    person: "Omkar Joshi",
    daysAgo: 6.2,
    summary:
      "Draw Devanagari, Gujarati and Tamil companions for text faces that newspapers use. नुक़्ता, मात्रा और संयुक्ताक्षर: if these words make you happy, write to us.",
  },
  {
    title: "Game UI Artist",
    company: "Laddoo Games",
    location: "Hyderabad",
    pay: "₹9–13 LPA",
    craft: "game",
    person: "Pranav Gaddam",
    daysAgo: 6.6,
    summary:
      "A farming game set in the Deccan, played by grandmothers and their grandchildren. You own the maps, the market and the monsoon warning.",
  },
  {
    title: "Lead Designer, Mobility",
    company: "Dabba Drive",
    location: "Bengaluru",
    craft: "product",
    person: "Leela Narayan",
    daysAgo: 7.3,
    summary:
      "Lead five designers on the app that brings eleven thousand lunch boxes to the right desk by one o'clock. You design half of the time, and you clear the way in the other half.",
  },
  {
    title: "Textile Designer",
    company: "Neel Bagan",
    location: "Kolkata",
    pay: "₹7–9 LPA",
    craft: "textile",
    person: "Sohini Dasgupta",
    daysAgo: 8.1,
    summary:
      "Indigo prints and handloom cotton for a label that names the weaver on every tag. Two collections a year, none of them rushed.",
  },
  {
    title: "Communication Designer",
    company: "Van Vigyan Trust",
    location: "Dehradun",
    pay: "₹6–8 LPA",
    craft: "graphic",
    person: "Tenzin Rawat",
    daysAgo: 8.8,
    summary:
      "Field guides, trail signs and school kits about Himalayan forests. You walk the trail before you design its map.",
  },
  {
    title: "Interaction Designer",
    company: "Ghanti Devices",
    location: "Bengaluru",
    pay: "₹20–26 LPA",
    craft: "systems",
    person: "Nikhil Hegde",
    daysAgo: 9.4,
    summary:
      "Bells, locks and lights that speak three languages and never need an account. Design behaviour across a knob, a tiny screen and a phone.",
  },
  {
    title: "Visual Designer (Intern)",
    company: "Studio Peepal",
    location: "Jaipur",
    type: intern,
    pay: "₹18,000 a month",
    craft: "brand",
    person: "Meher Rathore",
    daysAgo: 10.2,
    summary:
      "Three months in a studio where interns draw letters and do not make coffee. You leave with one finished identity in your portfolio.",
  },
  {
    title: "Exhibition Designer",
    company: "Sangrahalaya Works",
    location: "Ahmedabad",
    craft: "spatial",
    person: "Parth Trivedi",
    daysAgo: 11,
    summary:
      "Museum rooms about salt, kites and mathematics. You plan the route, the cases, the light and the bench where people sit down to think.",
  },
  {
    title: "UX Writer",
    company: "Dabba Drive",
    location: "Remote",
    type: part,
    pay: "₹1,200 an hour",
    craft: "content",
    person: "Leela Narayan",
    daysAgo: 11.7,
    summary:
      "Twenty hours a week on messages that arrive while someone is hungry. Short, true and never cheerful about a delay.",
  },
  {
    title: "Product Designer II",
    company: "Fasal Forecast",
    location: "Nagpur",
    pay: "₹13–17 LPA",
    craft: "product",
    person: "Prajakta Deshmukh",
    daysAgo: 12.5,
    summary:
      "Weather and prices for cotton and orange growers, by app and by phone call. Half of our users never see a screen; design for them as well.",
  },
  {
    title: "Signage & Wayfinding Designer",
    company: "Disha Signs",
    location: "Chennai",
    pay: "₹9–12 LPA",
    craft: "spatial",
    person: "Arvind Balaji",
    daysAgo: 13.2,
    summary:
      "Hospitals, metro interchanges and one very large temple tank. Tamil and English at equal size, arrows that agree with each other.",
  },
  {
    title: "Motion Designer (Intern)",
    company: "Tez Tara Films",
    location: "Mumbai",
    type: intern,
    craft: "motion",
    person: "Farah Contractor",
    daysAgo: 14.1,
    summary:
      "Learn to cut to sound. Five months of storyboards, in-betweens and the joy of the final render.",
  },
  {
    title: "Art Director",
    company: "Bazaar Standard",
    location: "Gurugram",
    pay: "₹26–34 LPA",
    craft: "brand",
    person: "Ritika Anand",
    daysAgo: 15.3,
    summary:
      "Lead the look of a weekly about small business: covers, photography, charts and a website that reads like the paper.",
  },
  {
    title: "Accessibility Designer",
    company: "Saral Seva",
    location: "New Delhi",
    pay: "₹18–23 LPA",
    craft: "systems",
    person: "Nidhi Tripathi",
    daysAgo: 16.4,
    summary:
      "Public services have no second choice, so they must work for everyone. You test with people who use screen readers, switches and very large type, and fix what you find together with the engineers.",
  },
  {
    title: "Furniture Designer",
    company: "Sheesham Shop",
    location: "Jodhpur",
    pay: "₹8–12 LPA",
    craft: "industrial",
    person: "Devraj Panwar",
    daysAgo: 17.5,
    summary:
      "Chairs and tables for flats with small lifts. Flat-packed, repairable, made within forty kilometres of the drawing board.",
  },
  {
    title: "Freelance Illustrator, Health Series",
    company: "Chaupal Health",
    location: "Remote",
    type: part,
    pay: "₹6,000 a drawing",
    craft: "illustration",
    person: "Ananya Kulkarni",
    daysAgo: 18.2,
    summary:
      "Thirty calm drawings about pregnancy, diabetes and vaccination for flip charts and phones. A doctor and a health worker review each one with you.",
  },
  {
    title: "Design Engineer",
    company: "Ghanti Devices",
    location: "Bengaluru",
    pay: "₹24–32 LPA",
    craft: "systems",
    person: "Nikhil Hegde",
    daysAgo: 19.6,
    summary:
      "You design in code: prototypes in React and Swift by Tuesday, tested at the door of a stranger by Friday.",
  },
  {
    title: "Junior Graphic Designer",
    company: "Mango Leaf Press",
    location: "Kochi",
    pay: "₹4.5–6 LPA",
    craft: "graphic",
    person: "Anju Thomas",
    daysAgo: 20.4,
    summary:
      "A first job in books: covers, catalogues and the text pages nobody notices when they are right. Malayalam reading needed.",
  },
  {
    title: "UX Designer, Learning",
    company: "Takshila Tablets",
    location: "Indore",
    pay: "₹10–13 LPA",
    craft: "product",
    person: "Shreya Malviya",
    daysAgo: 21.8,
    summary:
      "Lessons for classes six to eight that still work when the connection does not. You sit in two schools every fortnight and watch.",
  },
  {
    title: "Data Visualisation Designer",
    company: "Ankdaa Lab",
    location: "New Delhi",
    pay: "₹15–20 LPA",
    craft: "graphic",
    person: "Harpreet Gill",
    daysAgo: 23,
    summary:
      "Charts about air, water and work for newsrooms and ministries. You know when a table says more.",
  },
  {
    title: "Research Intern",
    company: "Nagar Nakshatra",
    location: "Chennai",
    type: intern,
    pay: "₹20,000 a month",
    craft: "research",
    person: "Vaidehi Subramanian",
    daysAgo: 24.3,
    summary:
      "Walk three wards with us, count what is broken, and help to turn it into a service blueprint that the commissioner will sign.",
  },
  {
    title: "Jewellery Designer",
    company: "Ratna Rekha",
    location: "Surat",
    pay: "₹6–9 LPA",
    craft: "industrial",
    person: "Khushboo Mehta",
    daysAgo: 25.7,
    summary:
      "Light everyday pieces in silver and lab-grown stones. Draw by hand, model in Rhino, stand beside the setter when the first piece is made.",
  },
  {
    title: "Senior Visual Designer",
    company: "Rail Rekha",
    location: "New Delhi",
    pay: "₹20–27 LPA",
    craft: "brand",
    person: "Ishaan Bhatia",
    daysAgo: 27.1,
    summary:
      "Colour, type and pictograms for two million journeys a day. The smallest thing you draw is a seat icon, the largest hangs above platform nine.",
  },
  {
    title: "3D Designer",
    company: "Laddoo Games",
    location: "Hyderabad",
    pay: "₹8–11 LPA",
    craft: "game",
    person: "Pranav Gaddam",
    daysAgo: 28.6,
    summary:
      "Low-polygon bullocks, wells, tamarind trees and an autorickshaw that must be charming from every side.",
  },
  {
    title: "Product Designer, Trust & Safety",
    company: "Baithak",
    location: "Remote",
    craft: "product",
    person: "Mohini Pillai",
    daysAgo: 31.2,
    summary:
      "Voice rooms in nine languages need doors, hosts and a way to leave quietly. Design the tools that keep a conversation decent.",
  },
  {
    title: "Apparel Graphics Intern",
    company: "Neel Bagan",
    location: "Kolkata",
    type: intern,
    pay: "₹15,000 a month",
    craft: "textile",
    person: "Sohini Dasgupta",
    daysAgo: 33.5,
    summary:
      "Repeats, borders and labels for the winter collection, with a fortnight at the block printers in Bagru.",
  },
  {
    title: "Head of Design",
    company: "Fasal Forecast",
    location: "Nagpur",
    craft: "product",
    person: "Prajakta Deshmukh",
    daysAgo: 35.9,
    summary:
      "Build the second design team in the history of this company: hire three people, keep the farmers in the room, and say what we stop doing.",
  },
  {
    title: "Interior Designer",
    company: "Aangan Spaces",
    location: "Lucknow",
    pay: "₹7–10 LPA",
    craft: "spatial",
    person: "Sabiha Naqvi",
    daysAgo: 38.3,
    summary:
      "Clinics, reading rooms and two old houses with courtyards. Lime plaster, good shade and honest budgets.",
  },
  {
    title: "Part-time Design Mentor",
    company: "Takshila Tablets",
    location: "Remote",
    type: part,
    pay: "₹2,000 an hour",
    craft: "product",
    person: "Shreya Malviya",
    daysAgo: 40.8,
    summary:
      "Four evenings a month with young designers in Indore, Bhopal and Ujjain: portfolio talks, crits and encouragement.",
  },
  {
    title: "Conversation Designer",
    company: "Baithak",
    location: "Remote",
    pay: "₹15–19 LPA",
    craft: "content",
    person: "Mohini Pillai",
    daysAgo: 43.7,
    summary:
      "Write what a voice assistant says when it did not understand. Hindi, Bengali or Telugu as a first language.",
  },
  {
    title: "Production Artist",
    company: "Elaichi & Co",
    location: "Mumbai",
    type: part,
    craft: "graphic",
    person: "Zubin Mistry",
    daysAgo: 46.2,
    summary:
      "Dielines, barcodes and nutrition tables, right the first time. Two and a half days a week, mostly mornings.",
  },
  {
    title: "Ceramic Designer",
    company: "Mitti Mould",
    location: "Ahmedabad",
    pay: "₹7–10 LPA",
    craft: "industrial",
    person: "Jignesh Vora",
    daysAgo: 49.4,
    summary: "Glazes for food, forms for stacking, and a line of cups that survives a canteen.",
  },
  {
    title: "Brand Designer (Intern)",
    company: "Bazaar Standard",
    location: "Gurugram",
    type: intern,
    pay: "₹22,000 a month",
    craft: "brand",
    person: "Ritika Anand",
    daysAgo: 52.6,
    summary:
      "Charts, covers and social cards for a weekly paper, with a deadline every Thursday and quiet Fridays.",
  },
  {
    title: "UX Designer, Maps",
    company: "Rasta Maps",
    location: "Pune",
    pay: "₹17–23 LPA",
    craft: "product",
    person: "Gauri Phadke",
    daysAgo: 55.8,
    summary:
      "Directions by landmarks, as people really give them: left at the banyan, past the blue gate. You decide how that looks on a windscreen mount at noon.",
  },
  {
    title: "Editorial Illustrator",
    company: "Bazaar Standard",
    location: "Remote",
    type: part,
    pay: "₹9,000 a cover",
    craft: "illustration",
    person: "Ritika Anand",
    daysAgo: 59.1,
    summary: "One idea a week about money, drawn without coins, arrows or piggy banks.",
  },
  {
    title: "Toy Designer",
    company: "Lattu & Lagori",
    location: "Mysuru",
    pay: "₹8–11 LPA",
    craft: "industrial",
    person: "Chetana Gowda",
    daysAgo: 63.4,
    summary:
      "Wooden toys in lacquer colours for hands of two to six years. Your harshest critics visit the studio on Wednesdays.",
  },
  {
    title: "Exhibition Graphics Designer",
    company: "Sangrahalaya Works",
    location: "Bhopal",
    pay: "₹8–10 LPA",
    craft: "graphic",
    person: "Parth Trivedi",
    daysAgo: 67.7,
    summary:
      "Text panels that people finish reading. Three languages, four reading heights, one voice.",
  },
  {
    title: "Product Designer, Logistics",
    company: "Thela Fleet",
    location: "Visakhapatnam",
    pay: "₹12–16 LPA",
    craft: "product",
    person: "Swathi Yerramilli",
    daysAgo: 71.5,
    summary:
      "Help a port city move vegetables before they wilt: loading, routes and fair prices on a phone with a cracked screen.",
  },
  {
    title: "Design Operations Manager",
    company: "Dabba Drive",
    location: "Bengaluru",
    craft: "systems",
    person: "Leela Narayan",
    daysAgo: 75.9,
    summary:
      "Keep fourteen designers supplied with time, tools and each other's work. You plan lightly and write well.",
    but: { portalApplicationLink: null, pocContact: null, pocName: null },
  },
  {
    title: "Sound & Motion Designer",
    company: "Ghanti Devices",
    location: "Bengaluru",
    pay: "₹14–18 LPA",
    craft: "motion",
    person: "Nikhil Hegde",
    daysAgo: 80.2,
    summary:
      "A bell has forty milliseconds to be recognised. You give every signal of ours its sound, its light and its silence.",
  },
  {
    title: "Junior UX Researcher",
    company: "Rasta Maps",
    location: "Pune",
    pay: "₹7–9 LPA",
    craft: "research",
    person: "Gauri Phadke",
    daysAgo: 84.6,
    summary:
      "Ride along with delivery people and autorickshaw drivers, and tell us where our map is wrong.",
    but: { pocContact: "Call Gauri on +91 00000 00000, weekdays 11 to 5" },
  },
  {
    title: "Poster Designer",
    company: "Rangmanch Repertory",
    location: "Thiruvananthapuram",
    type: part,
    pay: "₹12,000 a poster",
    craft: "graphic",
    person: "Devika Menon",
    daysAgo: 7.9,
    summary:
      "Six plays a year, six posters, screen-printed in two colours. We send the script first.",
    but: { portalApplicationLink: null },
  },
  {
    title: "Landscape & Trail Designer",
    company: "Van Vigyan Trust",
    location: "Shillong",
    craft: "spatial",
    person: "Banri Lyngdoh",
    daysAgo: 29.4,
    summary:
      "Paths, rain shelters and viewpoints for community forests in Meghalaya, built by the villages that own them.",
    but: {
      pocName: null,
      pocContact: null,
      directApplicationLink: "https://van-vigyan-trust.example.com/write-to-us",
    },
  },
  {
    title: "Icon Designer",
    company: "Akshar Foundry",
    location: "Remote",
    type: part,
    pay: "₹900 an icon",
    craft: "systems",
    person: "Omkar Joshi",
    daysAgo: 2.9,
    summary:
      "Two hundred icons that sit on the same line as Devanagari and Latin text, in three weights ✍️.",
    but: { pocContact: "https://akshar-foundry.example.com/omkar" },
  },
  {
    title: "Design Teacher, Foundation Year",
    company: "Kalaghar School",
    location: "Guwahati",
    pay: "₹9–11 LPA",
    craft: "graphic",
    person: "Rituparna Baruah",
    daysAgo: 13.8,
    summary:
      "Drawing, letters and making for a first year of thirty students. You teach four days and keep one for your own practice.",
    but: { largeDescription: null },
  },
  {
    title: "Web Designer",
    company: "Kirana Kart",
    location: "Hyderabad",
    pay: "₹8–10 LPA",
    craft: "systems",
    person: "Sai Teja Varma",
    daysAgo: 44.9,
    summary:
      "Landing pages for shopkeepers in Telugu, Urdu and English. The position has been filled.",
    but: { isArchived: true },
  },
  {
    title: "Print Production Intern",
    company: "Kagaz Katha",
    location: "Pune",
    type: intern,
    craft: "graphic",
    person: "Sharvari Bhide",
    daysAgo: 60.3,
    summary: "A summer between the scanner and the proof press.",
    but: { isArchived: true },
  },
  {
    title: "Senior Motion Designer",
    company: "Tez Tara Films",
    location: "Mumbai",
    pay: "₹18–22 LPA",
    craft: "motion",
    person: "Farah Contractor",
    daysAgo: 73.1,
    summary: "Lead the titles of a series about stepwells, from the first frame to the grade.",
    but: { isArchived: true, archivedReason: "filled" },
  },
  {
    title: "Retail Space Designer",
    company: "Aangan Spaces",
    location: "Lucknow",
    pay: "₹9–12 LPA",
    craft: "spatial",
    person: "Sabiha Naqvi",
    daysAgo: 87.5,
    summary: "Three shops for one family of perfumers, each with its own scent and its own light.",
    but: { isArchived: true },
  },
];

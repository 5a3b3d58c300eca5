/** Finds skills in descriptions. */
import { skills } from "../details.ts";
import { detailLimits } from "../detail-limits.ts";
import type { Found } from "./proposals.ts";

type SkillName = (typeof skills)[number]["value"];

/** The words for each skill. Names of programs that are also words need their capital. */
const words: Record<SkillName, RegExp> = {
  figma: /\bfigma\b/gi,
  sketch:
    /\bSketch(?=\s*(?:[,/.;)]|$|(?:and|or|&)\s+[A-Z]))|(?<=[,/]\s?|[A-Z]\w+\s(?:and|or|&)\s)Sketch\b/g,
  "adobe-xd": /\badobe xd\b|\bXD\b/gi,
  photoshop: /\bphotoshop\b/gi,
  illustrator:
    /\badobe illustrator\b|\bIllustrator\b(?=\s*(?:,|\/|and|or|&)\s*(?:(?:and|or)\s+)?(?:Adobe\s+)?(?:Photoshop|InDesign|After|Figma|XD|CorelDRAW))|(?<=\b(?:Photoshop|InDesign|Figma|XD|After Effects|CorelDRAW)\s*(?:,|\/|and|or|&)\s*(?:(?:and|or)\s+)?)Illustrator\b/g,
  indesign: /\bindesign\b/gi,
  "after-effects": /\bafter effects\b/gi,
  "premiere-pro": /\bpremiere pro\b/gi,
  blender: /\bBlender\b/g,
  "cinema-4d": /\bcinema ?4d\b|\bC4D\b/gi,
  "3d-modelling": /\b3d model(?:l?ing|s)\b/gi,
  framer: /\bFramer\b(?! motion)/g,
  webflow: /\bwebflow\b/gi,
  wordpress: /\bwordpress\b/gi,
  "html-css": /\bHTML5?\s*(?:,|\/|and|&|\+)\s*CSS3?\b/gi,
  javascript: /\bjavascript\b/gi,
  react:
    /\bReact(?:\.?js)?\b(?=\s*(?:,|\/|\.(?:\s|$)|\)|$|and\s+[A-Z]|or\s+[A-Z]|&))|\bReact\.?js\b/g,
  swiftui: /\bswiftui\b/gi,
  "design-systems": /\bdesign systems?\b/gi,
  "design-tokens": /\bdesign tokens?\b/gi,
  prototyping: /\b(?:prototyping|prototypes?)\b/gi,
  wireframing: /\b(?:wireframing|wireframes?)\b/gi,
  "interaction-design": /\binteraction design\b(?!er)/gi,
  "visual-design": /\bvisual design\b(?!er)/gi,
  "information-architecture": /\binformation architecture\b/gi,
  "user-flows": /\buser ?flows?\b/gi,
  "user-interviews": /\b(?:user|customer) interviews?\b|\binterview(?:ing)? users\b/gi,
  "usability-testing": /\b(?:usability|user) test(?:s|ing)?\b/gi,
  surveys: /\bsurveys\b/gi,
  "field-research": /\bfield ?research\b|\bethnograph(?:y|ic research)\b/gi,
  "journey-mapping":
    /\bjourney[- ]map(?:s|ping)?\b|\bmap(?:ping)? (?:the )?(?:customer|user) journeys?\b/gi,
  "service-design": /\bservice design\b(?!er)|\bservice blueprints?\b/gi,
  workshops:
    /\b(?:facilitat\w+|run(?:ning)?|lead(?:ing)?) (?:\w+ )?workshops?\b|\bworkshop facilitation\b/gi,
  "data-analysis": /\bdata analysis\b/gi,
  "data-visualisation": /\bdata ?visuali[sz]ations?\b/gi,
  accessibility: /\bWCAG\b|\baccessibility\b(?! (?:to|from|by)\b)/gi,
  "ux-writing": /\bux writing\b|\bmicrocopy\b/gi,
  copywriting: /\bcopywriting\b/gi,
  localisation: /\blocali[sz]ation\b/gi,
  typography: /\btypography\b/gi,
  "type-design": /\btype design\b(?!er)/gi,
  lettering: /\blettering\b/gi,
  layout: /\blayout design\b|\b(?:page|editorial|print) layouts?\b/gi,
  branding: /\b(?:branding|brand identity)\b/gi,
  "logo-design": /\blogo design\b(?!er)|\bdesign(?:ing)? logos\b/gi,
  packaging: /\bpackaging\b/gi,
  "print-production": /\bprint production\b|\bpre-?press\b/gi,
  drawing:
    /\b(?:freehand|hand|observational|life) drawing\b|\bdrawing skills\b|\b(?:hand|freehand) sketching\b|\bsketching (?:by hand|skills)\b/gi,
  storyboarding: /\bstory ?board(?:s|ing)?\b/gi,
  animation: /\banimations?\b/gi,
  "video-editing": /\bvideo editing\b|\bedit(?:ing)? videos?\b/gi,
  lottie: /\blottie\b/gi,
  photography: /\bphotography\b/gi,
  cad: /\b(?:Auto)?CAD\b/g,
  solidworks: /\bsolidworks\b/gi,
  rhino: /\bRhino(?: ?3D)?\b/g,
  sketchup: /\bsketchup\b/gi,
  unity: /\bUnity(?: ?3D)?\b(?=\s*(?:[,/.;)]|$|(?:and|or|&)\s+[A-Z]))/g,
  "pattern-making": /\bpattern[- ]making\b/gi,
  "people-management": /\bpeople management\b|\bline management\b/gi,
};

/** A sentence with these denies a skill, or is about the company, its product or its training. */
const unrelated =
  /\b(?:no|not(?! only)|never|without|instead of|rather than|moved from|moving from|migrat\w+ from|switched from|replac\w+|unlike|teach|train|training|trained|learn)\b|n['’]t\b|^\W*(?:we(?! (?:need|want|expect|use|look|hope|seek)\b)|we['’]re(?! looking)|our|about us|founded|perks|benefits|report(?:s|ing)? to|you report)\b/i;

/** With these words, a skill is another team's, a company's or a thing's. */
const othersAfter =
  /^\s+(?:teams?|departments?|leads?|managers?|heads?|agency|agencies|studios?|engineers?|developers?|designers?|writers?|artists?|specialists?|waste|industry|company|companies|startups?|platform|products?|unit|firm|centre|center)\b/i;
const othersBefore =
  /\b(?:heads?|director|lead|manager|department|team|world|field|company|agency) of(?: the)?\s*$/i;

/** Finds up to ten skills by id, each where the text names it first. */
export function findSkills(text: string): Found<number>[] {
  const sentences = listSentences(text).filter((sentence) => !unrelated.test(sentence.text));
  const matches = skills.flatMap(({ id, value }): Found<number>[] => {
    for (const { text: sentence, start } of sentences) {
      const match = [...sentence.matchAll(words[value])].find((one) => isOwn(sentence, one));
      if (match) {
        const from = start + match.index;
        return [{ value: id, start: from, end: from + match[0].length }];
      }
    }
    return [];
  });
  return matches.toSorted((one, other) => one.start - other.start).slice(0, detailLimits.skills);
}

function isOwn(sentence: string, { index, 0: words }: RegExpExecArray): boolean {
  const [before, after] = [sentence.slice(0, index), sentence.slice(index + words.length)];
  return !othersAfter.test(after) && !othersBefore.test(before);
}

function listSentences(text: string): { text: string; start: number }[] {
  return [...text.matchAll(/[^\n;•]+?(?:[.!?](?=\s|$)|(?=[\n;•])|$)/g)].map((match) => ({
    text: match[0],
    start: match.index,
  }));
}

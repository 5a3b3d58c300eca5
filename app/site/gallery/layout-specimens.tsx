import { MarkedFields } from "../../ui/differences/marked-fields.tsx";
import { Button } from "../../ui/form/button.tsx";
import { BackLink, BackToProfile } from "../../ui/layout/back-link.tsx";
import { Badge, Card, type Tone } from "../../ui/layout/card.tsx";
import { StationCard } from "../../ui/layout/station-card.tsx";
import { type Station, StationLine } from "../../ui/layout/station-line.tsx";
import { TabLinks } from "../../ui/layout/tabs.tsx";
import { Link } from "../../ui/link.tsx";
import { listPageStates } from "./sample-pages.tsx";
import { hindiText, longText, longWord, type Specimen } from "./specimen.tsx";
import * as questionsStyles from "../../ui/layout/questions.module.css";
import * as proseStyles from "../../ui/layout/prose.module.css";

const tones = Object.keys({
  neutral: 1,
  outline: 1,
  info: 1,
  warning: 1,
  success: 1,
  danger: 1,
} satisfies Record<Tone, 1>) as Tone[];

export const layoutSpecimens: readonly Specimen[] = [
  {
    name: "Page",
    file: "layout/page.tsx",
    width: "small",
    note: "A screen has one page, so each state opens by itself.",
    isSingle: true,
    states: listPageStates("Page"),
  },
  {
    name: "Card",
    file: "layout/card.tsx",
    width: "large",
    states: [
      {
        label: "title, subtitle, footer",
        show: () => (
          <Card
            title="Resume review"
            subtitle="Ready within 48 hours"
            footer={<Button size="sm">Start</Button>}
          >
            <p>A designer reads your resume and pins remarks to its pages.</p>
          </Card>
        ),
      },
      {
        label: 'tone="marked"',
        show: () => (
          <Card tone="marked" title="Both reviews">
            <p>Resume and portfolio, read together.</p>
          </Card>
        ),
      },
      { label: "only children", show: () => <Card>A short text.</Card> },
      {
        label: "long text, Hindi",
        show: () => (
          <Card title={longText} subtitle={longWord} footer={hindiText}>
            <p>{hindiText}</p>
          </Card>
        ),
      },
    ],
  },
  {
    name: "StationCard",
    file: "layout/station-card.tsx",
    width: "small",
    states: [
      {
        label: "a person with a line",
        show: () => (
          <StationCard initial="M" name="Meera, product design">
            <p>Eight years in payments and health.</p>
          </StationCard>
        ),
      },
      {
        label: "isLocked",
        show: () => (
          <StationCard isLocked initial={null} name="Contact at Studio Peepal">
            <p>Sign in or create an account to view contact details</p>
          </StationCard>
        ),
      },
      {
        label: "long text, Hindi",
        show: () => (
          <StationCard initial="का" name={longWord}>
            <p>{hindiText}</p>
          </StationCard>
        ),
      },
    ],
  },
  {
    name: "StationLine",
    file: "layout/station-line.tsx",
    width: "large",
    states: [
      {
        label: "at the first station",
        show: () => <StationLine stations={listSampleStations(0)} />,
      },
      {
        label: "on the way, end",
        show: () => <StationLine stations={listSampleStations(1)} end="due Fri, Nov 27, 7:58 AM" />,
      },
      { label: "arrived", show: () => <StationLine stations={listSampleStations(3)} /> },
      { label: "isLate", show: () => <StationLine isLate stations={listSampleStations(1)} /> },
    ],
  },
  {
    name: "Badge",
    file: "layout/card.tsx",
    width: "small",
    states: [
      ...tones.map((tone) => ({
        label: `tone="${tone}"`,
        show: () => <Badge tone={tone}>In review</Badge>,
      })),
      { label: "long text", show: () => <Badge tone="warning">{longText}</Badge> },
      { label: "Hindi", show: () => <Badge tone="info">{hindiText}</Badge> },
    ],
  },
  {
    name: "MarkedFields",
    file: "differences/marked-fields.tsx",
    width: "wide",
    states: [
      {
        label: "added and removed words",
        show: () => (
          <MarkedFields
            fields={[
              {
                label: "Summary",
                parts: [
                  { kind: "same", text: "You draw " },
                  { kind: "removed", text: "icons " },
                  { kind: "added", text: "maps " },
                  { kind: "same", text: "by hand." },
                ],
              },
              { label: "Place", parts: [{ kind: "added", text: longWord }] },
            ]}
          />
        ),
      },
    ],
  },
  {
    name: "TabLinks",
    file: "layout/tabs.tsx",
    width: "wide",
    states: [
      {
        label: "counts",
        show: (theme) => (
          <TabLinks
            label={`Reviews, ${theme}`}
            items={[
              { label: "Pending", count: { counted: 12, isMore: false } },
              { label: "Assigned", count: { counted: 1000, isMore: true } },
              { label: "Completed" },
            ].map((item, index) => ({
              ...item,
              to: `?tab=${index}`,
              current: index === 0,
            }))}
          />
        ),
      },
      {
        label: "more tabs than fit, Hindi",
        show: (theme) => (
          <TabLinks
            label={`Many tabs, ${theme}`}
            items={[longText, hindiText, "Messages", "Orders", longText].map((label, index) => ({
              label,
              to: `?tab=${index}`,
              current: index === 1,
            }))}
          />
        ),
      },
      {
        label: "hover",
        as: "hover",
        show: (theme) => <TwoTabs label={`Hovered, ${theme}`} />,
      },
      {
        label: "focus",
        as: "focus",
        show: (theme) => <TwoTabs label={`Focused, ${theme}`} />,
      },
    ],
  },
  {
    name: "BackLink",
    file: "layout/back-link.tsx",
    width: "small",
    states: [
      { label: "default", show: () => <BackLink to="/demo/components">Back to Jobs</BackLink> },
      {
        label: "hover",
        as: "hover",
        show: () => <BackLink to="/demo/components">Back to Jobs</BackLink>,
      },
      {
        label: "focus",
        as: "focus",
        show: () => <BackLink to="/demo/components">Back to Jobs</BackLink>,
      },
    ],
  },
  {
    name: "BackToProfile",
    file: "layout/back-link.tsx",
    width: "small",
    states: [{ label: "default", show: () => <BackToProfile /> }],
  },
  {
    name: "Link",
    file: "link.tsx",
    width: "small",
    states: [
      { label: "default", show: () => <Link to="/demo/components">All open jobs</Link> },
      {
        label: "hover",
        as: "hover",
        show: () => (
          <span>
            <Link to="/demo/components">All open jobs</Link>
          </span>
        ),
      },
      {
        label: "focus",
        as: "focus",
        show: () => <Link to="/demo/components">All open jobs</Link>,
      },
      { label: "long text", show: () => <Link to="/demo/components">{longWord}</Link> },
    ],
  },
  {
    name: "Questions",
    file: "layout/questions.css",
    note: "The browser opens and closes them.",
    states: [
      {
        label: "details",
        show: (theme) => (
          <div className={questionsStyles.questions}>
            {["How long does a review take?", hindiText, `${longText}?`].map((question, index) => (
              <details key={question} name={`questions-${theme}`} open={index === 0}>
                <summary>{question}</summary>
                <p>Two days at most. You can follow it on your profile.</p>
              </details>
            ))}
          </div>
        ),
      },
    ],
  },
  {
    name: "Prose",
    file: "layout/prose.css",
    states: [
      {
        label: ".prose",
        show: () => (
          <div className={proseStyles.prose}>
            <p>Long texts such as legal pages and feedback.</p>
            <h4>A heading</h4>
            <ul>
              <li>One point</li>
              <li>{hindiText}</li>
            </ul>
            <ol>
              <li>First</li>
              <li>Second</li>
            </ol>
          </div>
        ),
      },
    ],
  },
];

/** @param reached how many stations are passed before the current one */
function listSampleStations(reached: number): Station[] {
  const labels = ["Paid", "With a reviewer", "Ready"];
  return labels.map((label, index) => ({
    label,
    state: index < reached ? "passed" : index === reached ? "current" : "ahead",
  }));
}

function TwoTabs({ label }: { label: string }) {
  return (
    <TabLinks
      label={label}
      items={[
        { label: "Pending", to: "?tab=0", current: true },
        { label: "Assigned", to: "?tab=1", current: false },
      ]}
    />
  );
}

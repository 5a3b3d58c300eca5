import type { ReactNode } from "react";
import { verifiedMeaning } from "../jobs/check-rules.ts";
import { ButtonLink } from "../ui/form/button.tsx";
import { Icon } from "../ui/brand/icon.tsx";
import { Link } from "../ui/link.tsx";
import { type PublicScreen, buildPublicMeta } from "../ui/meta.ts";
import type { Route } from "./+types/about.screen.ts";
import { aboutPage } from "./pages.ts";
import { useShell } from "./frame.tsx";
import { ScriptMark } from "./script-mark.tsx";
import stylesheet from "./about.screen.css?url";
import * as fixedPointsStyles from "./fixed-points.module.css";
import * as bandsStyles from "./bands.module.css";
import * as styles from "./about.module.css";

export const handle: PublicScreen = { page: aboutPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, aboutPage);

export default function About() {
  const { product, dashboard } = useShell();
  const signedOut = !dashboard;
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <section className={styles.hero}>
        <FixedPoints />
        <div className={`${bandsStyles.heroWords} ${styles.words}`}>
          <h1>A map for a design career</h1>
          <p>
            {product.name} is a career platform for designers in India. It shows you real jobs, the
            people to ask about them, and how to get your work ready.
          </p>
        </div>
      </section>
      <Values />
      <Story name={product.name} />
      <NextSteps signedOut={signedOut} />
      {signedOut && <AboutInvitation />}
    </>
  );
}

function Values() {
  return (
    <section className={styles.bandLowland}>
      <div className={bandsStyles.row}>
        <header className={bandsStyles.head}>
          <h2>Three fixed points</h2>
          <p>
            To find your position on a map, you need three points that don&apos;t move. These are
            ours.
          </p>
        </header>
        <dl className={styles.fixedPoints}>
          <Value name="Transparency">
            You see the price, the turnaround and a full sample before you pay. Job postings are
            verified. {verifiedMeaning} A review says what the reviewer sees, even when that's hard
            to hear.
          </Value>
          <Value name="Community">
            Careers grow through people. Points of contact can guide your application to their
            company, and reviewers share what they've learned in the field.
          </Value>
          <Value name="Growth">
            Good feedback tells you what to do: cut this page, open with that project, rewrite this
            line. It helps with this application and the next one.
          </Value>
        </dl>
      </div>
    </section>
  );
}

function Value({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M16 4 29 27H3z" />
          <circle cx="16" cy="19.5" r="3.25" />
        </svg>
        {name}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function Story({ name }: { name: string }) {
  return (
    <section>
      <div className={`${bandsStyles.row} ${styles.story}`}>
        <div>
          <h2>Why we draw it</h2>
          <ScriptMark name={name} />
        </div>
        <div>
          <p className={styles.lead}>
            Good work gets lost between a portal and a person. You upload a resume and hear nothing.
            You never learn if anyone looked, or what they were looking for.
          </p>
          <p>
            If you know someone inside, you ask. What is the team working on? Which project should
            come first? Everyone else has to guess.
          </p>
          <p>
            We think everyone should be able to ask. So the jobs here come with points of contact:
            real people at the companies who can guide your application. Before you send it,
            industry professionals and IIT alumni review your resume and portfolio and tell you what
            they would keep, cut and show first.
          </p>
          {name === "Naksha" && (
            <p>
              <i lang="hi-Latn">Naksha</i> is Hindi for a map, a plan or a drawing. A map
              doesn&apos;t walk for you. It shows where you are and what&apos;s around you. You
              choose the route.
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

const nextSteps = [
  ["/jobs", "See the jobs", "The board is open to everyone, with or without an account."],
  ["/services", "Get your work reviewed", "Reviews of your resume, your portfolio, or both."],
  ["/contact", "Write to us", "Questions, corrections, or a job to add."],
] as const;

const signUp = ["/signup", "Create an account", "See who to contact about each job."] as const;

function NextSteps({ signedOut }: { signedOut: boolean }) {
  return (
    <section className={bandsStyles.upland}>
      <div className={`${bandsStyles.row} ${styles.ways}`}>
        <h2>Where to go from here</h2>
        <ul>
          {[...nextSteps, ...(signedOut ? [signUp] : [])].map(([to, label, what]) => (
            <li key={to}>
              <Link to={to} prefetch="intent">
                {label}
                <Icon name="arrow-right" />
              </Link>
              <p>{what}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function AboutInvitation() {
  return (
    <section className={bandsStyles.highland}>
      <div className={`${bandsStyles.row} ${bandsStyles.invitation}`}>
        <div>
          <h2>Find your own position</h2>
          <p>With an account you see who to ask, and how to reach them.</p>
        </div>
        <ButtonLink to="/signup">Sign up</ButtonLink>
      </div>
    </section>
  );
}

/**
 * The drawing of the about page, on the terrain of the home page's map: with three known stations in sight, people can
 * find their own position. The angles match the drawn triangle.
 */
function FixedPoints() {
  return (
    <figure className={fixedPointsStyles.fixMap}>
      <div className={fixedPointsStyles.map}>
        <div className={fixedPointsStyles.contours} />
        <svg
          viewBox="0 0 1600 760"
          role="img"
          aria-label="A surveyor's triangle of three stations, Transparency, Community and Growth. Sight lines from all three meet where you are."
        >
          <path
            className={fixedPointsStyles.far}
            d="M720 105 430-20M720 105 380 270M1335 208l330-190M1335 208l330 170M860 690 560 800M860 690l400 130M720 105l560-150"
          />
          <path className={fixedPointsStyles.area} d="M720 105 1335 208 860 690z" />
          <path className={fixedPointsStyles.side} d="M720 105 1335 208 860 690z" />
          <path
            className={fixedPointsStyles.arc}
            d="M809 120A90 90 0 0 1 741 193M1258 286A110 110 0 0 1 1227 190M837 593A100 100 0 0 1 930 619"
          />
          <path
            className={fixedPointsStyles.sight}
            d="M720 105 985 340M1335 208 985 340M860 690 985 340"
          />
          <g className={fixedPointsStyles.angles}>
            <text x="846" y="166" textAnchor="middle">
              67°02′
            </text>
            <text x="1190" y="230" textAnchor="end">
              54°56′
            </text>
            <text x="938" y="582" textAnchor="middle">
              58°02′
            </text>
          </g>
          <Station x={720} y={105} />
          <Station x={1335} y={208} />
          <Station x={860} y={690} />
          <circle className={fixedPointsStyles.fix} cx="985" cy="340" r="20" />
          <circle className={fixedPointsStyles.here} cx="985" cy="340" r="9" />
          <g className={fixedPointsStyles.words}>
            <text x="720" y="62" textAnchor="middle" className={fixedPointsStyles.transparency}>
              Transparency
            </text>
            <text x="1335" y="164" textAnchor="middle" className={fixedPointsStyles.community}>
              Community
            </text>
            <text x="902" y="706">
              Growth
            </text>
            <text x="1018" y="358">
              You are here
            </text>
          </g>
        </svg>
      </div>
    </figure>
  );
}

function Station({ x, y }: { x: number; y: number }) {
  return (
    <g className={fixedPointsStyles.station} transform={`translate(${x} ${y})`}>
      <path d="M0-22 23 18h-46z" />
      <circle cy="4" r="4.5" />
    </g>
  );
}

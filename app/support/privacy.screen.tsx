import { appContext } from "../platform/app-context.server.ts";
import { type PublicScreen, buildPublicMeta } from "../ui/meta.ts";
import type { Route } from "./+types/privacy.screen.ts";
import { privacyPage } from "./pages.ts";
import { LegalPage, type LegalSection, type ProductFacts } from "./legal-page.tsx";
import { Link } from "../ui/link.tsx";
import stylesheet from "./privacy.screen.css?url";
import { type Column, Table } from "../ui/list/table.tsx";
import * as styles from "./legal.module.css";

export const handle: PublicScreen = { page: privacyPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, privacyPage);

export function loader({ context }: Route.LoaderArgs) {
  return context.get(appContext).config.product;
}

export default function Privacy({ loaderData: product }: Route.ComponentProps) {
  return (
    <LegalPage
      stylesheet={stylesheet}
      title="Privacy Policy"
      intro={
        <>
          What {product.name} stores about you, why, and who can see it.
          <span className={styles.dated}>May 1 2025</span>
        </>
      }
      sections={buildPrivacySections(product)}
      product={product}
    />
  );
}

/** The privacy policy. It describes how the product behaves, so change both together. */
function buildPrivacySections({ name, merchant, supportEmail }: ProductFacts): LegalSection[] {
  return [
    {
      id: "short",
      title: "In short",
      text: (
        <ul>
          <li>We store what you give us, to run your account and review your work.</li>
          <li>Your files are private. Only you, your reviewer and our admins can open them.</li>
          <li>We don&apos;t use advertising, analytics or tracking.</li>
          <li>Our pages load nothing from other companies.</li>
        </ul>
      ),
    },
    {
      id: "who",
      title: "Who is responsible",
      text: (
        <p>
          {name} is a sole-proprietor business. The merchant is {merchant}. The service is for
          people aged 18 and over.
        </p>
      ),
    },
    {
      id: "what",
      title: "What we store",
      text: (
        <dl className={styles.terms}>
          <dt>Your account</dt>
          <dd>
            Your name, email address, roles and subscription, and when you joined. We store only a
            hash of your password, which can&apos;t be turned back into the password.
          </dd>
          <dt>Your sessions</dt>
          <dd>
            For each browser you&apos;re signed in with: when it was last used, its browser name and
            its IP address. A session ends when you sign out, 30 days after its last use, and no
            later than 90 days after you signed in.
          </dd>
          <dt>What you send for a review</dt>
          <dd>
            Your resume, your portfolio or its link, and your phone number if you give one. Also the
            feedback, screenshots and files that your reviewer adds. We remove location data from
            JPEG, PNG and WebP images when you upload them.
          </dd>
          <dt>Your orders</dt>
          <dd>
            What you ordered, the amount, the details we send to PayU, and the result and time of
            the payment. We never see your card number.
          </dd>
          <dt>Emails and messages</dt>
          <dd>
            Which emails we sent to which address, and when. We delete the text of an email once
            it&apos;s sent. Messages you send from the contact page, with your name, email address
            and ticket number.
          </dd>
          <dt>Security records</dt>
          <dd>
            To stop abuse, we count attempts by IP address, email address or known device, and
            delete the counts after about two days. When something breaks, we log the error. We
            record who made each staff change, and who cancelled a subscription.
          </dd>
        </dl>
      ),
    },
    {
      id: "why",
      title: "What we use it for",
      text: (
        <p>
          To let you log in, show you jobs and points of contact, review your work, take payments,
          reply to you, and keep the service safe. We don&apos;t sell your data, and we don&apos;t
          send newsletters.
        </p>
      ),
    },
    {
      id: "who-sees",
      title: "Who can see it",
      text: (
        <ul>
          <li>
            Your reviewer can see the materials you sent for the review. Admins can see all reviews,
            so that they can assign them.
          </li>
          <li>
            PayU takes payments on its own pages. It gets your name, your email address and your
            phone number if you gave one, with the amount and the service.
          </li>
          <li>Our mail server delivers the emails we send you.</li>
          <li>Authorities, where the law requires it.</li>
        </ul>
      ),
    },
    {
      id: "contacts",
      title: "If you are a point of contact",
      text: (
        <p>
          Job postings name people at companies and how to contact them. Only signed-in people can
          see this. If you&apos;re named and don&apos;t want to be, email{" "}
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      ),
    },
    {
      id: "cookies",
      title: "Cookies",
      text: (
        <>
          <p>All cookies are our own. Each one makes a feature work:</p>
          <CookieTable />
          <p>
            Your browser also stores a few items: the progress of an upload so that it can resume,
            which payment it has already opened, a link from an email while you use it, and a page
            to show when you&apos;re offline. That page contains nothing about you.
          </p>
        </>
      ),
    },
    {
      id: "how-long",
      title: "How long we keep it",
      text: (
        <ul>
          <li>Unfinished uploads: about a day.</li>
          <li>
            Files that no longer belong to a review, draft or payment: about a day. After a failed
            payment: about a month.
          </li>
          <li>
            A form you sent after your session ended: an hour, encrypted so that only your browser
            can open it.
          </li>
          <li>Ended sessions: about an hour.</li>
          <li>
            Accounts whose email address was never confirmed: a week after sign-up. Unused links
            from our emails: a week after they expire.
          </li>
          <li>Records of the emails we sent: a month.</li>
          <li>Messages from the contact page: a year. Suspected spam: a month.</li>
          <li>
            Your account, your reviews and their files: as long as you have the account. Payment
            records: as long as the law requires.
          </li>
        </ul>
      ),
    },
    {
      id: "your-say",
      title: "Your rights",
      text: (
        <p>
          Email <a href={`mailto:${supportEmail}`}>{supportEmail}</a> to find out what we store
          about you, to correct it, or to delete your account and your files. Please write from your
          account&apos;s email address, so that we know it&apos;s you.
        </p>
      ),
    },
    {
      id: "safety",
      title: "How we protect it",
      text: (
        <p>
          Files have no public address. The server checks your permission each time you open one.
          Passwords are hashed with Argon2. Links in our emails work once and for a limited time.
        </p>
      ),
    },
    {
      id: "notice",
      title: "Privacy notice and consents",
      text: (
        <>
          <p>
            The <Link to="/privacy/notice">privacy notice</Link> lists each kind of data: why we
            store it, for how long, who sees it, and how to withdraw. See and withdraw your consents
            on <Link to="/profile/data">Your data and consents</Link>.
          </p>
          <p className={styles.updated}>Updated November 26, 2026</p>
        </>
      ),
    },
  ];
}

type Cookie = { name: string; does: string; lasts: string };

const cookies: Cookie[] = [
  {
    name: "session",
    does: "Keeps you signed in",
    lasts: "30 days after last use, 90 days at most",
  },
  {
    name: "known-device",
    does: "Prevents failed sign-ins elsewhere from locking you out in this browser",
    lasts: "A year after you last signed in",
  },
  {
    name: "second-step",
    does: "Remembers that you entered your password, until you complete the second step",
    lasts: "Ten minutes",
  },
  { name: "theme", does: "Remembers your choice of light or dark mode", lasts: "A year" },
  { name: "toasts", does: "Shows a message on the next page", lasts: "A minute" },
  {
    name: "held-form",
    does: "Restores what you typed before your session ended",
    lasts: "An hour",
  },
  {
    name: "pressed-save",
    does: "Saves the job whose button you pressed, once you have logged in",
    lasts: "An hour",
  },
  { name: "leaving", does: "Completes a sign-out made while offline", lasts: "30 days" },
  {
    name: "due-first",
    does: "For staff: remembers to show the reviews first that are due first",
    lasts: "A year",
  },
  { name: "side-menu", does: "For staff: remembers if the menu is folded", lasts: "7 days" },
];

const columns: Column<Cookie>[] = [
  { header: "Cookie", cell: ({ name }) => name },
  { header: "What it does", cell: ({ does }) => does },
  { header: "How long it lasts", cell: ({ lasts }) => lasts },
];

function CookieTable() {
  return <Table caption="Cookies" columns={columns} rows={cookies} rowKey={({ name }) => name} />;
}

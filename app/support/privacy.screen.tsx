import { appContext } from "../platform/app-context.server.ts";
import { type PublicScreen, buildPublicMeta } from "../ui/meta.ts";
import type { Route } from "./+types/privacy.screen.ts";
import { privacyPage } from "./pages.ts";
import { LegalPage, type LegalSection, type ProductFacts } from "./legal-page.tsx";
import { type Column, Table } from "../ui/list/table.tsx";

export const handle: PublicScreen = { page: privacyPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, privacyPage);

export function loader({ context }: Route.LoaderArgs) {
  return context.get(appContext).config.product;
}

export default function Privacy({ loaderData: product }: Route.ComponentProps) {
  return (
    <LegalPage
      title="Privacy Policy"
      intro={
        <>
          What {product.name} stores about you, why, and who gets to see it.
          <span className="legal-dated">May 1 2025</span>
        </>
      }
      sections={buildPrivacySections(product)}
      product={product}
    />
  );
}

/** The privacy policy. Each sentence describes the product: changing one means changing the other. */
function buildPrivacySections({ name, merchant, supportEmail }: ProductFacts): LegalSection[] {
  return [
    {
      id: "short",
      title: "In short",
      text: (
        <ul>
          <li>We store what you give us to run your account and to review your work.</li>
          <li>Your files are private: you, your reviewer and our admins can open them.</li>
          <li>There is no advertising, no analytics and no tracking on these pages.</li>
          <li>Your browser loads nothing from other companies while you read them.</li>
        </ul>
      ),
    },
    {
      id: "who",
      title: "Who is responsible",
      text: (
        <p>
          {name} is a sole-proprietor business; the merchant is {merchant}. The service is for
          people who are at least 18 years old.
        </p>
      ),
    },
    {
      id: "what",
      title: "What we store",
      text: (
        <dl className="legal-terms">
          <dt>Your account</dt>
          <dd>
            Name, e-mail address, the roles and the subscription you have, and when you joined. Of
            your password only a hash, from which it cannot be read back.
          </dd>
          <dt>Your sessions</dt>
          <dd>
            For each browser you are signed in with: when it was last used, what the browser calls
            itself and the network address it came from. A session ends when you sign out, 30 days
            after its last use, and 90 days after you signed in at the latest.
          </dd>
          <dt>What you send for a review</dt>
          <dd>
            Your resume, your portfolio or its address, and, if you give one, your phone number.
            Then the feedback, screenshots and files that your reviewer returns. What a JPEG, PNG or
            WebP picture tells of the place where it was taken is removed as it arrives.
          </dd>
          <dt>Your orders</dt>
          <dd>
            What you ordered, the amount, the details passed to PayU, what became of the payment and
            when. We never see the number of your card.
          </dd>
          <dt>Mails and messages</dt>
          <dd>
            To whom we sent which mail, and when; its text is removed once it has left. What you
            write to us on the contact page, with your name and address, under its ticket number.
          </dd>
          <dt>Traces of use</dt>
          <dd>
            To stop abuse we count tries by network address, e-mail address or known device and
            forget them after about two days. When something breaks, a log keeps what broke. Changes
            made by staff, and the cancelling of a subscription, are recorded with who made them.
          </dd>
        </dl>
      ),
    },
    {
      id: "why",
      title: "What we use it for",
      text: (
        <p>
          To let you sign in, to show you jobs and points of contact, to carry out the reviews you
          buy, to take payment, to answer you, and to keep the service safe. We do not sell it, and
          we send no newsletters.
        </p>
      ),
    },
    {
      id: "who-sees",
      title: "Who sees it",
      text: (
        <ul>
          <li>
            The reviewer of your review sees the materials you sent for it. Admins see all reviews,
            to assign them.
          </li>
          <li>
            PayU, which takes the payment on its own pages, gets your name, your e-mail address and
            your phone number if you gave one, with the amount and what it is for.
          </li>
          <li>Our mail server carries the mails that we write to you.</li>
          <li>Authorities, where the law obliges us.</li>
        </ul>
      ),
    },
    {
      id: "contacts",
      title: "If you are a point of contact",
      text: (
        <p>
          Job postings name people at companies and how to reach them. Only signed-in people see
          this. If you are named and do not want to be, write to{" "}
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      ),
    },
    {
      id: "cookies",
      title: "Cookies",
      text: (
        <>
          <p>All of them are our own, and each is there to make something work:</p>
          <CookieTable />
          <p>
            Your browser also keeps a few notes for itself: how far an upload has come so that it
            can go on after a break, which payment it has already sent you to, a link from a mail
            while you follow it, and a page to show when ours cannot be fetched. That page says
            nothing of you.
          </p>
        </>
      ),
    },
    {
      id: "how-long",
      title: "How long we keep it",
      text: (
        <ul>
          <li>Uploads that were never finished: about a day.</li>
          <li>
            Files that belong to no review, draft or payment any more: they are swept about a day
            later, after a failed payment within about a month.
          </li>
          <li>
            A form that you sent while your session had ended: an hour, in a way that only your
            browser can open.
          </li>
          <li>Sessions that are over: about an hour longer.</li>
          <li>
            An account whose address was never confirmed: a week after signing up. A link that we
            mailed and nobody followed: a week after it ended.
          </li>
          <li>To whom we sent which mail: a month.</li>
          <li>
            What you write to us on the contact page: a year; what looks as if a program had sent
            it, a month.
          </li>
          <li>
            Your account, your reviews and their files: as long as you have the account. Records of
            payments: as long as the law requires.
          </li>
        </ul>
      ),
    },
    {
      id: "your-say",
      title: "Your say",
      text: (
        <p>
          Write to <a href={`mailto:${supportEmail}`}>{supportEmail}</a> to learn what we store
          about you, to have it corrected, or to have your account and your files deleted. Please
          write from the address of your account, so that we know it is you.
        </p>
      ),
    },
    {
      id: "safety",
      title: "How it is protected",
      text: (
        <p>
          Files have no public address: each time one is opened, the server checks who is asking.
          Passwords are hashed with Argon2. Links in our mails work once and for a limited time.
        </p>
      ),
    },
  ];
}

type Cookie = { name: string; does: string; lasts: string };

const cookies: Cookie[] = [
  {
    name: "session",
    does: "Knows that you are signed in",
    lasts: "30 days after last use, 90 days at most",
  },
  {
    name: "known-device",
    does: "Keeps those who guess at your password elsewhere from locking you out here",
    lasts: "A year after you last signed in",
  },
  {
    name: "second-step",
    does: "Knows that your password was right, until you have given the second factor",
    lasts: "Ten minutes",
  },
  { name: "theme", does: "Remembers light or dark, once you chose", lasts: "A year" },
  { name: "toasts", does: "Carries a message to the next page", lasts: "A minute" },
  { name: "held-form", does: "Finds what you typed before your session ended", lasts: "An hour" },
  { name: "leaving", does: "Signs you out although the server was out of reach", lasts: "30 days" },
  { name: "side-menu", does: "For staff: whether their menu is folded", lasts: "7 days" },
];

const columns: Column<Cookie>[] = [
  { header: "Cookie", cell: ({ name }) => name },
  { header: "What it does", cell: ({ does }) => does },
  { header: "How long it lasts", cell: ({ lasts }) => lasts },
];

function CookieTable() {
  return <Table caption="Cookies" columns={columns} rows={cookies} rowKey={({ name }) => name} />;
}

import { noticeRows, type NoticeRow, noticeVersion } from "../accounts/consents/notice.ts";
import { formatNoticeVersion } from "../accounts/consents/rules.ts";
import { appContext } from "../platform/app-context.server.ts";
import { complaintPromise, GrievanceOfficer, GstinDetail } from "../support/seller-details.tsx";
import stylesheet from "./notice.screen.css?url";
import { Page } from "../ui/layout/page.tsx";
import { Link } from "../ui/link.tsx";
import { type Column, Table } from "../ui/list/table.tsx";
import { type PublicScreen, buildPublicMeta } from "../ui/meta.ts";
import type { Route } from "./+types/notice.screen.ts";
import { noticePage } from "./pages.ts";
import * as legalStyles from "../support/legal.module.css";
import * as proseStyles from "../ui/layout/prose.module.css";

export const handle: PublicScreen = { page: noticePage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, noticePage);

export function loader({ context }: Route.LoaderArgs) {
  return context.get(appContext).config.product;
}

export default function Notice({ loaderData: product }: Route.ComponentProps) {
  return (
    <Page
      title="Privacy Notice"
      intro={
        <>
          What {product.name} stores about you, kind by kind, and how you can withdraw.
          <span className={legalStyles.dated}>Updated {formatNoticeVersion(noticeVersion)}</span>
        </>
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <Table
        caption="What we store"
        columns={noticeColumns}
        rows={noticeRows}
        rowKey={({ kind }) => kind}
      />
      <div className={`${proseStyles.prose} ${legalStyles.afterTable}`}>
        <h2 id="changes">What changed</h2>
        <p>
          This notice is new. It lists every kind of data in one place. When you accept it, you also
          accept the <Link to="/terms">terms</Link> and say that you are 18 or older, unless you did
          so before. You can see and withdraw your consents on your profile.
        </p>
        <h2>Your rights</h2>
        <p>
          Withdraw a consent with one press on{" "}
          <Link to="/profile/data">Your data and consents</Link>. It takes effect immediately. What
          we did before stays lawful.
        </p>
        <p>
          To see, correct or delete your data, <Link to="/contact">write to us</Link>. Deleted data
          stays in our backups until newer ones replace them.
        </p>
        <p>
          If our answer doesn&apos;t help, you can complain to the Data Protection Board of India.
        </p>
        <p>
          The <Link to="/privacy">privacy policy</Link> explains cookies and how we protect your
          data.
        </p>
        <h2>Who is responsible</h2>
        <dl className={legalStyles.facts}>
          <dt>Merchant</dt>
          <dd>{product.merchant}</dd>
          <dt>Address</dt>
          <dd>{product.address}</dd>
          <GstinDetail tax={product.tax} />
          <dt>Phone</dt>
          <dd>
            <a href={`tel:${product.supportPhone.replace(/\s/g, "")}`}>{product.supportPhone}</a>
          </dd>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${product.supportEmail}`}>{product.supportEmail}</a>
          </dd>
        </dl>
        <h3>Grievance officer</h3>
        <GrievanceOfficer officer={product.officer} className={legalStyles.facts} />
        <p>{complaintPromise}</p>
      </div>
    </Page>
  );
}

const noticeColumns: Column<NoticeRow>[] = [
  {
    header: "What",
    wide: true,
    cell: ({ kind, what }) => (
      <>
        <strong>{kind}</strong>
        <br />
        {what}
      </>
    ),
  },
  { header: "Why", wide: true, cell: ({ why }) => why },
  { header: "How long", wide: true, cell: ({ howLong }) => howLong },
  { header: "Who sees it", wide: true, cell: ({ whoSees }) => whoSees },
  { header: "How to withdraw", wide: true, cell: ({ withdraw }) => withdraw },
];

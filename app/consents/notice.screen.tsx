import type { ReactNode } from "react";
import { hindiNoticeRows, hindiNoticeVersion } from "../accounts/consents/notice-hindi.ts";
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

export function loader({ url, context }: Route.LoaderArgs) {
  const { product } = context.get(appContext).config;
  const isHindi = url.searchParams.get("lang") === "hi";
  // The rows are sent as data, so that each language loads only its own.
  return isHindi
    ? { product, isHindi, rows: hindiNoticeRows, version: hindiNoticeVersion }
    : { product, isHindi, rows: noticeRows, version: noticeVersion };
}

export default function Notice({ loaderData }: Route.ComponentProps) {
  const { product, isHindi, rows, version } = loaderData;
  const words = isHindi ? hindi : english;
  return (
    <div lang={isHindi ? "hi" : undefined}>
      <Page
        title={words.title}
        intro={
          <>
            {words.intro(product.name)} {words.otherLanguage}
            <span className={legalStyles.dated}>
              {words.updated} {formatNoticeVersion(version)}
            </span>
          </>
        }
      >
        <link rel="stylesheet" href={stylesheet} precedence="default" />
        <Table
          caption={words.caption}
          columns={buildNoticeColumns(words.headers)}
          rows={rows}
          rowKey={({ kind }) => kind}
        />
        <div className={`${proseStyles.prose} ${legalStyles.afterTable}`}>
          {words.rights}
          <h2>{words.responsible}</h2>
          {/* Names and addresses stay as they are registered. */}
          <dl lang="en" className={legalStyles.facts}>
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
          <h3 lang="en">Grievance officer</h3>
          <div lang="en">
            <GrievanceOfficer officer={product.officer} className={legalStyles.facts} />
          </div>
          <p>{words.promise}</p>
        </div>
      </Page>
    </div>
  );
}

type Words = {
  title: string;
  intro(product: string): string;
  otherLanguage: ReactNode;
  updated: string;
  caption: string;
  headers: Record<Exclude<keyof NoticeRow, "kind">, string>;
  rights: ReactNode;
  responsible: string;
  promise: string;
};

const english: Words = {
  title: "Privacy Notice",
  intro: (product) => `What ${product} stores about you, kind by kind, and how you can withdraw.`,
  otherLanguage: (
    <Link to="/privacy/notice?lang=hi" lang="hi">
      हिन्दी में पढ़ें
    </Link>
  ),
  updated: "Updated",
  caption: "What we store",
  headers: {
    what: "What",
    why: "Why",
    howLong: "How long",
    whoSees: "Who sees it",
    withdraw: "How to withdraw",
  },
  rights: (
    <>
      <h2 id="changes">What changed</h2>
      <p>
        This notice is new. It lists every kind of data in one place. When you accept it, you also
        accept the <Link to="/terms">terms</Link> and say that you are 18 or older, unless you did
        so before. You can see and withdraw your consents on your profile.
      </p>
      <h2>Your rights</h2>
      <p>
        Withdraw a consent with one press on <Link to="/profile/data">Your data and consents</Link>.
        It takes effect immediately. What we did before stays lawful.
      </p>
      <p>
        Correct your <Link to="/profile/details">name and email address</Link>,{" "}
        <Link to="/profile/data/export">download a copy of your data</Link>, or{" "}
        <Link to="/profile/data/close">close your account</Link>. For anything else,{" "}
        <Link to="/contact">write to us</Link>. Deleted data stays in our backups until newer ones
        replace them.
      </p>
      <p>
        If our answer doesn&apos;t help, you can complain to the Data Protection Board of India.
      </p>
      <p>
        The <Link to="/privacy">privacy policy</Link> explains cookies and how we protect your data.
      </p>
    </>
  ),
  responsible: "Who is responsible",
  promise: complaintPromise,
};

const hindi: Words = {
  title: "निजता सूचना",
  intro: (product) => `${product} आपके बारे में क्या-क्या रखता है, और आप अपनी सहमति कैसे वापस ले सकते हैं।`,
  otherLanguage: (
    <Link to="/privacy/notice" lang="en">
      Read in English
    </Link>
  ),
  updated: "पिछला बदलाव:",
  caption: "हम क्या रखते हैं",
  headers: {
    what: "क्या",
    why: "क्यों",
    howLong: "कब तक",
    whoSees: "कौन देखता है",
    withdraw: "कैसे वापस लें",
  },
  rights: (
    <>
      <h2 id="changes">क्या बदला</h2>
      <p>
        यह सूचना नई है। इसमें हर तरह की जानकारी एक जगह लिखी है। इसे स्वीकार करते समय आप{" "}
        <Link to="/terms">शर्तें</Link> भी स्वीकार करते हैं और बताते हैं कि आप 18 साल या उससे बड़े हैं, अगर आपने पहले
        ऐसा नहीं किया। आप अपनी सहमतियाँ अपनी प्रोफ़ाइल पर देख और वापस ले सकते हैं।
      </p>
      <h2>आपके अधिकार</h2>
      <p>
        <Link to="/profile/data">Your data and consents</Link> पर एक बटन दबाकर सहमति वापस लें। इसका
        असर तुरंत होता है। उससे पहले हमने जो किया वह कानूनी रहता है।
      </p>
      <p>
        अपना <Link to="/profile/details">नाम और ईमेल पता</Link> सुधारें,{" "}
        <Link to="/profile/data/export">अपनी जानकारी की कॉपी</Link> डाउनलोड करें, या{" "}
        <Link to="/profile/data/close">अकाउंट बंद करें</Link>। बाकी किसी भी बात के लिए{" "}
        <Link to="/contact">हमें लिखें</Link>। हटाई हुई जानकारी हमारे बैकअप में तब तक रहती है जब तक नए बैकअप
        उनकी जगह नहीं लेते।
      </p>
      <p>अगर हमारे जवाब से मदद न मिले, तो आप भारतीय डेटा संरक्षण बोर्ड से शिकायत कर सकते हैं।</p>
      <p>
        <Link to="/privacy">Privacy policy</Link> में कुकी और सुरक्षा के बारे में लिखा है (अंग्रेज़ी में)। दोनों
        भाषाओं में फ़र्क हो तो हमें लिखें।
      </p>
    </>
  ),
  responsible: "कौन ज़िम्मेदार है",
  promise: "हम 48 घंटे के अंदर शिकायत मिलने की सूचना देते हैं और एक महीने के अंदर उसे निपटाते हैं।",
};

function buildNoticeColumns(headers: Words["headers"]): Column<NoticeRow>[] {
  return [
    {
      header: headers.what,
      wide: true,
      cell: ({ kind, what }) => (
        <>
          <strong>{kind}</strong>
          <br />
          {what}
        </>
      ),
    },
    ...(["why", "howLong", "whoSees", "withdraw"] as const).map((field): Column<NoticeRow> => ({
      header: headers[field],
      wide: true,
      cell: (row) => row[field],
    })),
  ];
}

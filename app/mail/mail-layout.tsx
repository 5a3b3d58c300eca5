import { truncateToUnits } from "../platform/text/cut-text.ts";
import type { Station } from "../ui/layout/station-line.tsx";
import type { CSSProperties, ReactNode } from "react";
import { hairline, mailColors, mailFaces, mailStyles } from "./mail-style.ts";

/** The layout of every email. */
export function MailLayout({
  title,
  preview,
  product,
  choicesAt,
  reason,
  children,
}: {
  title: string;
  preview: string;
  product: { name: string; supportEmail: string };
  /** The page where the reader can turn such emails off; absent for emails that are always sent. */
  choicesAt?: string;
  /** Why the reader gets such emails, and how to stop them; absent for answers to what they did. */
  reason?: ReactNode;
  children: ReactNode;
}) {
  return (
    <html lang="en-IN" dir="ltr">
      <head dangerouslySetInnerHTML={{ __html: headMarkup }} />
      <body className="mail-ground" style={{ backgroundColor: ground, margin: 0, padding: 0 }}>
        <MailPreview text={preview} />
        <MailCell
          className="mail-ground"
          outer={{ backgroundColor: ground }}
          inner={{ fontFamily: mailFaces.text, padding: "24px 0" }}
        >
          <MailCell
            className="mail-sheet"
            outer={{ backgroundColor: sheet, border: hairline, maxWidth: 560 }}
            innerClassName="mail-sheet-cell"
            // Long words don't widen the email, such as a transaction ID in a title on a phone.
            inner={{ padding: "28px 32px 32px", wordBreak: "break-word" }}
            top={<MailNeatline />}
          >
            <p style={brand}>{product.name}</p>
            <h1 style={heading}>{title}</h1>
            {children}
            <p
              className="mail-faint"
              style={{ ...small, borderTop: hairline, margin: "32px 0 0", paddingTop: 16 }}
            >
              {reason && (
                <>
                  {reason}
                  <br />
                </>
              )}
              Questions? Email {product.supportEmail}.
              {choicesAt && (
                <>
                  {" "}
                  <a href={choicesAt} style={{ color: "inherit" }}>
                    Choose which emails you get
                  </a>
                  .
                </>
              )}
            </p>
          </MailCell>
        </MailCell>
      </body>
    </html>
  );
}

const { ground, sheet, ink } = mailColors;

/** Outlook on Windows skips the fallbacks and shows a serif face, so it gets a stylesheet of its own. */
const headMarkup = [
  '<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">',
  '<meta name="viewport" content="width=device-width">',
  '<meta name="x-apple-disable-message-reformatting">',
  '<meta name="color-scheme" content="light dark">',
  '<meta name="supported-color-schemes" content="light dark">',
  `<style>${mailStyles}</style>`,
  "<!--[if mso]><style>*{font-family:Arial,sans-serif!important}</style><![endif]-->",
].join("");

const brand = {
  color: ink,
  fontFamily: mailFaces.display,
  fontSize: 20,
  fontWeight: 600,
  letterSpacing: "-0.03em",
  lineHeight: "24px",
  margin: 0,
};
const heading = {
  color: ink,
  fontFamily: mailFaces.display,
  fontSize: 24,
  fontWeight: 600,
  letterSpacing: "-0.02em",
  lineHeight: "30px",
  margin: "20px 0 16px",
};
const small = { color: mailColors.faint, fontSize: 13, lineHeight: "20px" };

/** The preview text in an inbox. The blanks after it keep the first words of the email out of the preview. */
function MailPreview({ text }: { text: string }) {
  const hiddenStyle = {
    display: "none",
    overflow: "hidden",
    maxHeight: 0,
    maxWidth: 0,
    opacity: 0,
  };
  const preview = truncateToUnits(text, 150);
  const blanks = "\u00a0\u200c\u200b\u200d\u200e\u200f\ufeff".repeat(150 - preview.length);
  return (
    <div style={{ ...hiddenStyle, lineHeight: "1px" }} data-skip-in-text="true">
      {preview}
      <div>{blanks}</div>
    </div>
  );
}

/** A one-cell table, which all email programs lay out the same way. */
function MailCell({
  className,
  outer,
  innerClassName,
  inner,
  top,
  children,
}: {
  className?: string;
  outer?: CSSProperties;
  innerClassName?: string;
  inner?: CSSProperties;
  /** Drawn along the upper edge. */
  top?: ReactNode;
  children: ReactNode;
}) {
  return (
    <table
      role="presentation"
      className={className}
      align="center"
      width="100%"
      border={0}
      cellPadding="0"
      cellSpacing="0"
      style={outer}
    >
      <tbody>
        {top && (
          <tr>
            <td>{top}</td>
          </tr>
        )}
        <tr>
          <td className={innerClassName} style={inner}>
            {children}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** The border of a printed map, alternating ink and paper, as on the product's pages. */
function MailNeatline() {
  return (
    <table {...plainTable} data-skip-in-text="true" style={{ borderBottom: `1px solid ${ink}` }}>
      <tbody>
        <tr>
          {Array.from({ length: 15 }, (_, index) => (
            <td
              key={index}
              className={index % 2 ? undefined : "mail-ink"}
              style={stripes[index % 2]}
            >
              {noText}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

/** The attributes of a table that only lays out. */
const plainTable = {
  role: "presentation",
  width: "100%",
  border: 0,
  cellPadding: "0",
  cellSpacing: "0",
};
/** Outlook collapses cells without text. */
const noText = "\u00a0";
const unseen = { fontSize: 0, lineHeight: 0 };
const stripe = { fontSize: 0, lineHeight: "6px" };
const stripes = [{ ...stripe, backgroundColor: ink }, stripe];

/** A paragraph of an email. */
export function MailText({ children }: { children: ReactNode }) {
  return (
    <p style={{ color: ink, fontSize: 16, lineHeight: "26px", margin: "0 0 16px" }}>{children}</p>
  );
}

/** A station of an order, and what is known about it, such as "by Fri, Nov 27, 7:58 AM". */
export type MailStation = Station & { detail?: string };

/**
 * Draws the way of an order: solid up to the current station, then dotted. The plain text has it as one line.
 *
 * @param isLate true if the order is overdue
 */
export function MailStations({
  stations,
  isLate = false,
}: {
  stations: MailStation[];
  isLate?: boolean;
}) {
  const last = stations.length - 1;
  const details = stations.map(({ detail }, index) =>
    [detail, isLate && index === last && "(late)"].filter(Boolean).join(" "),
  );
  const sentence = stations.map(({ label }, index) => `${label} ${details[index]}`.trim());
  return (
    <table
      {...plainTable}
      data-text={sentence.join(" → ")}
      style={{ margin: "8px 0 24px", tableLayout: "fixed" }}
    >
      <tbody>
        <tr>
          {stations.map(({ label, state }, index) => (
            <td key={label} valign="top" width={index < last ? "30%" : undefined}>
              <MailStop state={state} hasNext={index < last} />
              <p style={stopText}>
                <b style={{ fontWeight: state === "ahead" ? 400 : 600 }}>{label}</b>
                <br />
                <span {...(isLate && index === last && late)}>{details[index]}</span>
              </p>
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

/** The mark of a station, with the line to the next one. */
function MailStop({ state, hasNext }: { state: Station["state"]; hasNext: boolean }) {
  const line = `2px ${state === "passed" ? "solid" : "dotted"} ${mailColors.faint}`;
  return (
    <table {...plainTable}>
      <tbody>
        <tr>
          <td width="14" style={unseen}>
            <div className={`mail-${state}`} style={{ ...stop, ...stops[state] }}>
              {noText}
            </div>
          </td>
          <td style={unseen}>
            <div className="mail-line" style={hasNext ? { borderTop: line } : undefined}>
              {noText}
            </div>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

const stop = { borderRadius: 7, borderStyle: "solid" };
const stops = {
  passed: {
    backgroundColor: mailColors.faint,
    borderColor: mailColors.faint,
    borderWidth: 7,
  },
  current: { borderColor: mailColors.accent, borderWidth: 4, height: 6, width: 6 },
  ahead: { borderColor: mailColors.faint, borderWidth: 2, height: 10, width: 10 },
};
const late = { className: "mail-late", style: { color: mailColors.warning } };
const stopText = {
  color: ink,
  fontSize: 14,
  lineHeight: "19px",
  margin: 0,
  padding: "8px 10px 0 0",
};

/** The main action as a button, with its full address below for email programs without links. */
export function MailAction({ href, children }: { href: string; children: ReactNode }) {
  return (
    <MailCell outer={{ margin: "8px 0 24px" }}>
      <a href={href} className="mail-button" style={button} target="_blank" rel="noreferrer">
        <OutlookMarkup
          markup={`<i style="mso-font-width:367%;mso-text-raise:21" hidden>${gap}</i>`}
        />
        <span style={{ display: "inline-block", lineHeight: "120%", maxWidth: "100%", ...raised }}>
          {children}
        </span>
        <OutlookMarkup markup={`<i style="mso-font-width:367%" hidden>${gap}&#8203;</i>`} />
      </a>
      <p
        className="mail-faint"
        style={{ ...small, margin: "12px 0 0", wordBreak: "break-all" }}
        data-skip-in-text="true"
      >
        {href}
      </p>
    </MailCell>
  );
}

const button = {
  backgroundColor: mailColors.fill,
  border: `1px solid ${mailColors.faint}`,
  borderRadius: 2,
  color: mailColors.onFill,
  display: "inline-block",
  fontSize: 16,
  fontWeight: 600,
  lineHeight: "100%",
  maxWidth: "100%",
  msoPaddingAlt: "0px",
  padding: "13px 21px",
  textDecoration: "none",
};
/** Outlook ignores a link's padding, so wide spaces in Outlook-only markup replace it. */
const gap = "&#8202;&#8202;&#8202;";
const raised = { msoPaddingAlt: "0px", msoTextRaise: "10.5px" };

function OutlookMarkup({ markup }: { markup: string }) {
  return <span dangerouslySetInnerHTML={{ __html: `<!--[if mso]>${markup}<![endif]-->` }} />;
}

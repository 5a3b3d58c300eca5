import { truncateToUnits } from "../platform/text/cut-text.ts";
import type { CSSProperties, ReactNode } from "react";

// Copies of the light colours in `ui/brand/tokens.css`, since email programs ignore CSS variables.
const ink = "#17211f";
const sheet = "#fbfaf5";
const ground = "#f3f1e8";
const line = "1px solid #d0cdbf";

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
      <head>
        <meta httpEquiv="Content-Type" content="text/html; charset=UTF-8" />
        <meta name="x-apple-disable-message-reformatting" />
      </head>
      <body style={{ backgroundColor: ground, margin: 0, padding: 0 }}>
        <MailPreview text={preview} />
        <MailCell
          inner={{
            backgroundColor: ground,
            fontFamily: "Helvetica, Arial, sans-serif",
            padding: "24px 0",
          }}
        >
          <MailCell
            outer={{
              backgroundColor: sheet,
              border: line,
              borderTop: `3px solid ${ink}`,
              maxWidth: 560,
              padding: "32px 28px",
            }}
          >
            <p style={brand}>{product.name}</p>
            <h1 style={heading}>{title}</h1>
            {children}
            <p style={{ ...small, borderTop: line, margin: "32px 0 0", paddingTop: 16 }}>
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

const brand = {
  color: "#bf3413",
  fontSize: 14,
  fontWeight: 700,
  letterSpacing: 1,
  lineHeight: "24px",
  margin: 0,
};
const heading = { color: ink, fontSize: 24, lineHeight: "32px", margin: "12px 0 16px" };
const small = { color: "#59645f", fontSize: 13, lineHeight: "20px" };

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
  outer,
  inner,
  children,
}: {
  outer?: CSSProperties;
  inner?: CSSProperties;
  children: ReactNode;
}) {
  return (
    <table
      role="presentation"
      align="center"
      width="100%"
      border={0}
      cellPadding="0"
      cellSpacing="0"
      style={outer}
    >
      <tbody>
        <tr>
          <td style={inner}>{children}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** A paragraph of an email. */
export function MailText({ children }: { children: ReactNode }) {
  return (
    <p style={{ color: ink, fontSize: 16, lineHeight: "26px", margin: "0 0 16px" }}>{children}</p>
  );
}

/** The main action as a button, with its full address below for email programs without links. */
export function MailAction({ href, children }: { href: string; children: ReactNode }) {
  return (
    <MailCell outer={{ margin: "8px 0 24px" }}>
      <a href={href} style={button} target="_blank" rel="noreferrer">
        <OutlookMarkup
          markup={`<i style="mso-font-width:367%;mso-text-raise:21" hidden>${gap}</i>`}
        />
        <span style={{ display: "inline-block", lineHeight: "120%", maxWidth: "100%", ...raised }}>
          {children}
        </span>
        <OutlookMarkup markup={`<i style="mso-font-width:367%" hidden>${gap}&#8203;</i>`} />
      </a>
      <p style={{ ...small, margin: "12px 0 0", wordBreak: "break-all" }}>{href}</p>
    </MailCell>
  );
}

const button = {
  backgroundColor: ink,
  borderRadius: 2,
  color: sheet,
  display: "inline-block",
  fontSize: 16,
  fontWeight: 600,
  lineHeight: "100%",
  maxWidth: "100%",
  msoPaddingAlt: "0px",
  padding: "14px 22px",
  textDecoration: "none",
};
/** Outlook ignores a link's padding, so wide spaces in Outlook-only markup replace it. */
const gap = "&#8202;&#8202;&#8202;";
const raised = { msoPaddingAlt: "0px", msoTextRaise: "10.5px" };

function OutlookMarkup({ markup }: { markup: string }) {
  return <span dangerouslySetInnerHTML={{ __html: `<!--[if mso]>${markup}<![endif]-->` }} />;
}

import {
  Body,
  Button,
  Container,
  Head,
  Heading,
  Html,
  Preview,
  Section,
  Text,
} from "@react-email/components";
import type { ReactNode } from "react";

/** The paper that every mail is written on. */
export function MailLayout({
  title,
  preview,
  product,
  children,
}: {
  title: string;
  preview: string;
  product: { name: string; supportEmail: string };
  children: ReactNode;
}) {
  return (
    <Html lang="en-IN">
      <Head />
      <Preview>{preview}</Preview>
      <Body
        style={{
          backgroundColor: "#f4efe4",
          fontFamily: "Helvetica, Arial, sans-serif",
          margin: 0,
          padding: "24px 0",
        }}
      >
        <Container
          style={{
            backgroundColor: "#fffdf8",
            border: "1px solid #d8cfbb",
            maxWidth: 560,
            padding: "32px 28px",
          }}
        >
          <Text
            style={{ color: "#b8401f", fontSize: 14, fontWeight: 700, letterSpacing: 1, margin: 0 }}
          >
            {product.name}
          </Text>
          <Heading
            as="h1"
            style={{ color: "#1d2433", fontSize: 24, lineHeight: "32px", margin: "12px 0 16px" }}
          >
            {title}
          </Heading>
          {children}
          <Text
            style={{
              borderTop: "1px solid #d8cfbb",
              color: "#5c6270",
              fontSize: 13,
              lineHeight: "20px",
              margin: "32px 0 0",
              paddingTop: 16,
            }}
          >
            Questions? Write to {product.supportEmail}.
          </Text>
        </Container>
      </Body>
    </Html>
  );
}

/** A paragraph of a mail. */
export function MailText({ children }: { children: ReactNode }) {
  return (
    <Text style={{ color: "#1d2433", fontSize: 16, lineHeight: "26px", margin: "0 0 16px" }}>
      {children}
    </Text>
  );
}

/** The one thing to do, as a button, with the address in full for programs that draw none. */
export function MailAction({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Section style={{ margin: "8px 0 24px" }}>
      <Button
        href={href}
        style={{
          backgroundColor: "#1d2433",
          borderRadius: 2,
          color: "#fffdf8",
          fontSize: 16,
          fontWeight: 600,
          padding: "14px 22px",
        }}
      >
        {children}
      </Button>
      <Text
        style={{
          color: "#5c6270",
          fontSize: 13,
          lineHeight: "20px",
          margin: "12px 0 0",
          wordBreak: "break-all",
        }}
      >
        {href}
      </Text>
    </Section>
  );
}

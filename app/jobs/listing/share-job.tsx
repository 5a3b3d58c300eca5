import { type MouseEvent, useRef } from "react";
import { Icon } from "../../ui/brand/icon.tsx";
import { CopyButton } from "../../ui/form/copy-button.tsx";
import * as buttonStyles from "../../ui/form/button.module.css";
import * as styles from "./listing.module.css";

/** Shares a job through the device, where it can. Elsewhere it opens a link to WhatsApp and the address to copy. */
export function ShareJob({ title, address }: { title: string; address: string }) {
  const source = useRef<HTMLParagraphElement>(null);
  const share = (event: MouseEvent<HTMLElement>) => {
    // Not every browser has it, and none without TLS.
    if (!("share" in navigator)) return;
    event.preventDefault();
    // Closing the device's sheet is an error too.
    navigator.share({ title, url: address }).catch(() => {});
  };
  return (
    <details className={styles.share}>
      <summary
        className={`${buttonStyles.button} ${buttonStyles.secondary} ${buttonStyles.sm}`}
        onClick={share}
      >
        Share
      </summary>
      <div>
        <a
          href={`https://wa.me/?text=${encodeURIComponent(`${title}\n${address}`)}`}
          target="_blank"
          rel="noopener noreferrer"
          className={`${buttonStyles.button} ${buttonStyles.ghost} ${buttonStyles.sm}`}
        >
          WhatsApp
          <Icon name="external" />
        </a>
        <CopyButton text={address} source={source} label="link" />
        <p ref={source}>{address}</p>
      </div>
    </details>
  );
}

import * as styles from "./company-logo.module.css";

/** A company's logo on a white plate, since many are drawn for white paper. It renders nothing without one. */
export function CompanyLogo({
  address,
  alt,
  size,
}: {
  address: string | null;
  /** Empty beside the company's name. */
  alt: string;
  /** In CSS pixels. */
  size: number;
}) {
  if (address === null) return null;
  return <img src={address} alt={alt} width={size} height={size} className={styles.logo} />;
}

import { Outlet } from "react-router";
import styles from "./signed-in.css?url";

/** The styles of screens for those who have signed in. React shows a screen once they are there. */
export default function SignedInSheet() {
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="default" />
      <Outlet />
    </>
  );
}

import { Outlet } from "react-router";
import styles from "./signed-in.css?url";

/** The styles of screens for signed-in people. React shows a screen once they are loaded. */
export default function SignedInSheet() {
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="default" />
      <Outlet />
    </>
  );
}

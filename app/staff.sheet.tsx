import { Outlet } from "react-router";
import signedInStyles from "./signed-in.css?url";
import styles from "./staff.css?url";

/** The styles of staff screens. React shows a screen once they are loaded. */
export default function StaffSheet() {
  return (
    <>
      <link rel="stylesheet" href={signedInStyles} precedence="default" />
      <link rel="stylesheet" href={styles} precedence="default" />
      <Outlet />
    </>
  );
}

import * as styles from "../brand/drawings.module.css";
/** The drawing for an empty list of people, which only staff see. */
export const peopleDrawing = (
  <>
    <path
      className={styles.faint}
      d="M12 84c24-10 44 6 68-2s44-8 68 0M12 94c24-8 44 4 68-1s44-6 68 1"
    />
    <path className={styles.fill} d="M54 26a12 12 0 1 1-.1 0zM108 30a10 10 0 1 1-.1 0z" />
    <path d="M54 26a12 12 0 1 1-.1 0zM108 30a10 10 0 1 1-.1 0zM30 78c2-16 10-22 24-22s22 6 24 22zM88 78c2-13 8-18 20-18s18 5 20 18z" />
    <path className={styles.route} d="M66 32c10-12 22-12 32 2" />
  </>
);

import * as styles from "./icon.module.css";
/** Single-stroke drawings on a grid of 20, in the colour of the text next to them. */
const strokes = {
  "arrow-right": "M3 10h13M11 5l5 5-5 5",
  "arrow-left": "M17 10H4M9 5l-5 5 5 5",
  check: "m4 10.5 4 4 8-9",
  "chevron-down": "m5 8 5 5 5-5",
  close: "m5 5 10 10M15 5 5 15",
  compass: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM13 7l-1.7 4.3L7 13l1.7-4.3z",
  copy: "M7 7h10v10H7zM13 7V3H3v10h4",
  download: "M10 3v10M6 9l4 4 4-4M3 17h14",
  edit: "m4 16 .7-3.5L14 3.2 16.8 6 7.5 15.3zM12 5.2 14.8 8",
  error: "M7 2.5h6L17.5 7v6L13 17.5H7L2.5 13V7zM10 6.5v4.5M10 13v1",
  external: "M8 4H4v12h12v-4M11 3h6v6M17 3l-8 8",
  eye: "M2 10c2-3.5 4.7-5 8-5s6 1.5 8 5c-2 3.5-4.7 5-8 5s-6-1.5-8-5zM10 8v4M8 10h4",
  "eye-off": "M2 10c2-3.5 4.7-5 8-5s6 1.5 8 5c-2 3.5-4.7 5-8 5s-6-1.5-8-5zM4 16 16 4",
  feed: "M4 4c7.2 0 12 4.8 12 12M4 9.5c4 0 6.5 2.5 6.5 6.5M4 15v1h1v-1z",
  file: "M5 2.5h7l4 4v11H5zM12 2.5v4h4",
  filter: "M3 5h14M6 10h8M8.5 15h3",
  flag: "M5 18V3h10l-2.5 3.5L15 10H5",
  info: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM10 9v5M10 6v1",
  link: "M8.5 11.5a3 3 0 0 0 4.5 0l3-3a3 3 0 0 0-4.5-4.5L10 5.5M11.5 8.5a3 3 0 0 0-4.5 0l-3 3a3 3 0 0 0 4.5 4.5l1.5-1.5",
  mail: "M2.5 4.5h15v11h-15zM2.5 5l7.5 6 7.5-6",
  menu: "M3 6h14M3 10h14M3 14h14",
  moon: "M16.5 12.5A7 7 0 0 1 7.5 3.5a7 7 0 1 0 9 9z",
  phone: "M4 3h3.5L9 7 7 8.5c1 2 2.5 3.5 4.5 4.5L13 11l4 1.5V16l-1 1C9 17 3 11 3 4z",
  pin: "M10 18c-4-4.5-5.5-7-5.5-9.5a5.5 5.5 0 0 1 11 0C15.5 11 14 13.5 10 18zM10 7v3",
  plus: "M10 4v12M4 10h12",
  search: "M9 3a6 6 0 1 0 0 12A6 6 0 0 0 9 3zM13.5 13.5 18 18",
  sidebar: "M2.5 4h15v12h-15zM7.5 4v12",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.5 1.5M14.5 14.5 16 16M16 4l-1.5 1.5M5.5 14.5 4 16",
  system: "M2.5 3.5h15v10h-15zM7 17h6M10 13.5V17",
  trash: "M3 5h14M8 5V3h4v2M5 5l1 12h8l1-12M8.5 8.5v5M11.5 8.5v5",
  upload: "M10 13V3M6 7l4-4 4 4M3 17h14",
  user: "M10 3a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM3 17.5c.8-3.5 3-5 7-5s6.2 1.5 7 5",
  warning: "M10 2.5 18 17H2zM10 8v4.5M10 14v1",
} as const;

export type IconName = keyof typeof strokes;

/** A decorative icon. A button or link with only an icon needs an aria-label. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 20 20" aria-hidden="true">
      <path d={strokes[name]} />
    </svg>
  );
}

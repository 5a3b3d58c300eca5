import { Icon, type IconName } from "../../ui/brand/icon.tsx";
import type { Specimen } from "./specimen.tsx";
import type { GalleryTokens } from "./tokens.server.ts";
import * as styles from "./gallery.module.css";

/** Every icon. The type names one that is missing. */
const iconNames = Object.keys({
  "arrow-right": 1,
  "arrow-left": 1,
  check: 1,
  "chevron-down": 1,
  close: 1,
  compass: 1,
  copy: 1,
  download: 1,
  edit: 1,
  error: 1,
  external: 1,
  eye: 1,
  "eye-off": 1,
  feed: 1,
  file: 1,
  filter: 1,
  flag: 1,
  info: 1,
  link: 1,
  mail: 1,
  menu: 1,
  moon: 1,
  phone: 1,
  pin: 1,
  plus: 1,
  search: 1,
  sidebar: 1,
  sun: 1,
  system: 1,
  trash: 1,
  upload: 1,
  user: 1,
  warning: 1,
} satisfies Record<IconName, 1>) as IconName[];

export function buildBrandSpecimens({ colors, textSizes }: GalleryTokens): Specimen[] {
  return [
    {
      name: "Colours",
      file: "brand/tokens.css",
      note: "Text colours have a contrast of 4.5:1 on paper, sheet and the three tints.",
      states: [
        {
          label: "every colour",
          show: (theme) => (
            <ul className={styles.colours}>
              {colors.map((color) => (
                <li key={color.name}>
                  <span style={{ background: `var(${color.name})` }} />
                  <code>{color.name.slice("--color-".length)}</code>
                  <small>{color[theme]}</small>
                </li>
              ))}
            </ul>
          ),
        },
      ],
    },
    {
      name: "Type",
      file: "brand/tokens.css",
      width: "wide",
      states: (["display", "text"] as const).map((face) => ({
        label: `var(--font-${face})`,
        show: () => (
          <ul className={styles.type} data-face={face}>
            {textSizes.map((size) => (
              <li key={size}>
                <code>{size.slice("--text-".length)}</code>
                <span style={{ fontSize: `var(${size})`, lineHeight: `var(${size}--line-height)` }}>
                  Lines of a career, ₹4,20,000 a year · नक्शा
                </span>
              </li>
            ))}
          </ul>
        ),
      })),
    },
    {
      name: "Icon",
      file: "brand/icon.tsx",
      note: "A drawing of one stroke in the colour of the text around it.",
      states: [
        {
          label: "every name",
          show: () => (
            <ul className={styles.icons}>
              {iconNames.map((name) => (
                <li key={name}>
                  <Icon name={name} />
                  <code>{name}</code>
                </li>
              ))}
            </ul>
          ),
        },
      ],
    },
  ];
}

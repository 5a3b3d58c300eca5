import type { ReactElement, ReactNode } from "react";
import * as drawingsStyles from "../brand/drawings.module.css";
import * as styles from "./empty-state.module.css";

/** An empty place: a drawing, the reason, and the next step. */
export function EmptyState({
  title,
  children,
  action,
  drawing,
  level = 2,
}: {
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** The name of a drawing, or an element for drawings that few screens use. */
  drawing: Drawing | ReactElement;
  level?: 2 | 3 | 4;
}) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.empty}>
      <DrawingSvg name={drawing} />
      <Heading>{title}</Heading>
      {children && <div className={styles.words}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

/** Drawings for empty places, in the manner of the map: ink lines, contours, one mark in the accent. */
const drawings = {
  map: (
    <>
      <path className={drawingsStyles.fill} d="M14 26 60 14l40 12 46-12v68l-46 12-40-12-46 12z" />
      <path
        className={drawingsStyles.faint}
        d="M24 50c14-14 26-4 36-12s18 6 40 0 26-16 40-10M24 66c16-10 24 0 36-6s20 6 40 2 28-14 40-8"
      />
      <path d="M14 26 60 14l40 12 46-12v68l-46 12-40-12-46 12zM60 14v68M100 26v68" />
      <path className={drawingsStyles.route} d="M30 76c10-16 22-4 34-16s30 8 52-18" />
      <path className={drawingsStyles.mark} d="m116 42-7-14a8 8 0 1 1 14 0z" />
    </>
  ),
  search: (
    <>
      <path
        className={drawingsStyles.faint}
        d="M16 34c20-16 40 4 62-8s40 6 66-6M16 54c16-8 24-2 32-4M112 52c12-2 20-8 32-4M16 76c20-12 30 0 44-2M112 80c10-2 20-8 32-4"
      />
      <circle className={drawingsStyles.fill} cx="80" cy="50" r="30" />
      <circle cx="80" cy="50" r="30" />
      <path d="M64 50c6-12 26-12 32 0-6 12-26 12-32 0zM103 71l22 22" />
      <path className={drawingsStyles.mark} d="M80 46a4 4 0 1 1 0 8 4 4 0 0 1 0-8z" />
    </>
  ),
  inbox: (
    <>
      <path className={drawingsStyles.faint} d="M30 30h100M22 42h116" />
      <path className={drawingsStyles.fill} d="M36 20h88l18 40v32H18V60z" />
      <path d="M36 20h88l18 40v32H18V60zM18 60h38l8 12h32l8-12h38" />
      <path className={drawingsStyles.route} d="M80 4v38" />
      <path className={drawingsStyles.mark} d="m80 56-7-12h14z" />
    </>
  ),
  table: (
    <>
      <path className={drawingsStyles.faint} d="M46 34h50M46 42h38M46 50h44" />
      <path className={drawingsStyles.fill} d="M38 14h62l12 12v50H38z" />
      <path d="M38 14h62l12 12v50H38zM100 14v12h12M10 76h140M24 76v18M136 76v18" />
      <path d="M50 36h42M50 46h48M50 56h30" />
      <path className={drawingsStyles.route} d="m88 62 6 6 14-16" />
      <path className={drawingsStyles.mark} d="m126 76 6-40 8 2-8 38z" />
    </>
  ),
  lost: (
    <>
      <path
        className={drawingsStyles.route}
        d="M6 98c20-2 30-18 24-34s10-30 30-24 22 34 2 36-24-28 4-40 40-6 44 12"
      />
      <path className={drawingsStyles.fill} d="M112 40h30l8 9-8 9h-30zM108 64H86l-8 8 8 8h22z" />
      <path d="M110 100V30M110 40h32l8 9-8 9h-32M110 64H86l-8 8 8 8h24M98 100h24" />
      <path className={drawingsStyles.mark} d="M110 20a5 5 0 1 1-.1 10 5 5 0 0 1 .1-10z" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type Drawing = keyof typeof drawings;

export function DrawingSvg({ name }: { name: Drawing | ReactElement }) {
  return (
    <svg className={drawingsStyles.drawing} viewBox="0 0 160 104" aria-hidden="true">
      {typeof name === "string" ? drawings[name] : name}
    </svg>
  );
}

/**
 * The colors of emails in each theme, and their names in `ui/brand/tokens.css`. They are copies, since email programs
 * ignore CSS variables.
 */
export const mailTokens = {
  ground: ["paper", "#f3f1e8", "#0b1720"],
  sheet: ["sheet", "#fbfaf5", "#11212b"],
  ink: ["ink", "#17211f", "#eeeadd"],
  /** Visible on light and on dark, so that it survives programs that invert only some colors. */
  faint: ["ink-faint", "#59645f", "#98a49f"],
  line: ["line", "#d0cdbf", "#29404c"],
  accent: ["accent", "#bf3413", "#ff8a63"],
  warning: ["warning", "#7d4f00", "#f2bd5c"],
  link: ["link", "#0d5687", "#8cc8f0"],
  fill: ["fill", "#17211f", "#eeeadd"],
  onFill: ["on-fill", "#fbfaf5", "#0b1720"],
} as const;
type Color = keyof typeof mailTokens;

/** The colors of the light theme, for inline styles. */
export const mailColors = Object.fromEntries(
  Object.entries(mailTokens).map(([name, [, light]]) => [name, light]),
) as Record<Color, string>;

export const hairline = `1px solid ${mailColors.line}`;

/**
 * The fallbacks are about as wide as their face, so that lines break alike. No font is loaded, because its request
 * would tell when an email was opened.
 */
export const mailFaces = {
  display: "'Anek Latin',Verdana,'DejaVu Sans',sans-serif",
  text: "'Instrument Sans',Helvetica,Arial,sans-serif",
};

/**
 * The stylesheet of every email, for the programs that read one: links, less padding on a phone, and the dark theme.
 * The others use the inline styles alone.
 */
export const mailStyles = [
  `a{color:${mailColors.link}}`,
  "@media (max-width:480px){.mail-sheet-cell{padding:24px 20px 28px!important}}",
  `@media (prefers-color-scheme:dark){${listDarkRules().join("")}}`,
].join("");

function listDarkRules(): string[] {
  const dark = (color: Color) => mailTokens[color][2];
  const paint = (
    properties: Partial<Record<"background-color" | "border-color" | "color", Color>>,
  ) =>
    Object.entries(properties)
      .map(([property, color]) => `${property}:${dark(color)}!important`)
      .join(";");
  const rules: [selector: string, Parameters<typeof paint>[0]][] = [
    [".mail-ground", { "background-color": "ground" }],
    [".mail-sheet", { "background-color": "sheet", "border-color": "line" }],
    [".mail-ground *", { "border-color": "line", color: "ink" }],
    [".mail-ground a", { color: "link" }],
    [".mail-faint,.mail-faint a", { color: "faint" }],
    [".mail-late", { color: "warning" }],
    [".mail-ink", { "background-color": "ink" }],
    [".mail-button,.mail-button *", { "background-color": "fill", color: "onFill" }],
    [".mail-ahead,.mail-line", { "border-color": "faint" }],
    [".mail-passed", { "background-color": "faint", "border-color": "faint" }],
    [".mail-current", { "border-color": "accent" }],
  ];
  return rules.map(([selector, properties]) => `${selector}{${paint(properties)}}`);
}

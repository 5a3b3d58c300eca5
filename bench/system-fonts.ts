import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The product's fonts for preview images, used here as system fonts. */
const shipped = resolve(import.meta.dirname, "../server/social-images/fonts");

/**
 * Returns the fonts that a browser on Linux finds on its system, whatever this machine has.
 *
 * @param kind phone: those of this machine and one with Hindi letters; bare: none of those that the
 *   fallback faces name, and none with Hindi letters
 * @returns the file for the variable FONTCONFIG_FILE, and what removes it again
 */
export async function systemFonts(kind: "phone" | "bare") {
  const folder = await mkdtemp(join(tmpdir(), "naksha-fonts-"));
  const file = join(folder, "fonts.conf");
  await writeFile(file, kind === "phone" ? phone(folder) : bare(folder));
  return { file, remove: () => rm(folder, { recursive: true }) };
}

function phone(cache: string): string {
  return `<fontconfig>
    <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
    <dir>${shipped}</dir>
    <cachedir>${cache}</cachedir>
    <match target="scan">
      <test name="family"><string>Chart Devanagari</string></test>
      <edit name="family" mode="assign"><string>Noto Sans Devanagari</string></edit>
      <edit name="fullname" mode="assign"><string>Noto Sans Devanagari</string></edit>
      <edit name="postscriptname" mode="assign"><string>NotoSansDevanagari-Regular</string></edit>
    </match>
  </fontconfig>`;
}

function bare(cache: string): string {
  return `<fontconfig>
    <dir>${shipped}</dir>
    <selectfont><rejectfont><glob>*/devanagari.ttf</glob></rejectfont></selectfont>
    <cachedir>${cache}</cachedir>
  </fontconfig>`;
}

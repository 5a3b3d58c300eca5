import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The fonts of the product's preview images, used here as system fonts. */
const shipped = resolve(import.meta.dirname, "../server/social-images/fonts");

/**
 * Writes a font configuration, so that results do not depend on the fonts of this machine.
 *
 * @param kind phone: this machine's fonts and a Hindi font; bare: neither the fallback fonts nor a Hindi font
 * @returns the file for the variable FONTCONFIG_FILE, and a function that removes it
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

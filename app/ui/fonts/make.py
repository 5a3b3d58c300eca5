"""Makes the font files of the product out of the npm font packages: three for browsers, and four for
the preview images that the server draws.

Only to be run when the set of characters or the axes change; what it writes is committed.
Needs fonttools with brotli (Debian: apt-get install fonttools python3-brotli):

    npm install --prefix /tmp/fonts @fontsource-variable/anek-latin@5.3.0 \\
      @fontsource-variable/instrument-sans@5.3.0 @fontsource-variable/anek-devanagari@5.3.0
    /usr/bin/python3 app/ui/fonts/make.py /tmp/fonts

The packages keep the rupee sign in another file than the letters; it is copied over, so that every
price is set from one font. The Devanagari of what people write is fetched where there is some.
"""

import sys
from copy import deepcopy
from pathlib import Path

from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).parent
PACKAGES = Path(sys.argv[1]) / "node_modules/@fontsource-variable"
STATIC = HERE / "../../../server/social-images/fonts"
RUPEE = 0x20B9
CHARACTERS = [*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "–—‘’“”‚„•…−×′″‹›")]
DEVANAGARI = [*range(0x900, 0x980), 0x200C, 0x200D, 0x25CC]
LETTER_FEATURES = ["kern", "liga", "locl", "ccmp", "mark", "rvrn", "tnum", "pnum", "case"]
# Those that spell right; the ones that only choose finer forms would make it three times as long.
DEVANAGARI_FEATURES = ["nukt", "akhn", "rphf", "rkrf", "blwf", "half", "vatu", "cjct", "haln"]
DEVANAGARI_FEATURES += ["abvm", "blwm", "blws", "mark"]

FONTS = {
    "anek-latin": {"wght": (400, 800), "wdth": 125},
    "instrument-sans": {"wght": (400, 700), "wdth": 100},
}

# What draws the images takes neither variable fonts nor WOFF, and looks faces up by their names:
# file, package, part of it, place on the axes, name, characters.
EXTENDED = range(0x100, 0x180)
FACES = [
    ("display", "anek-latin", "latin", {"wght": 700, "wdth": 125}, "Chart Display", CHARACTERS),
    ("display-extended", "anek-latin", "latin-ext", {"wght": 700, "wdth": 125}, "Chart Extended", [*EXTENDED, RUPEE]),
    ("text", "instrument-sans", "latin", {"wght": 500, "wdth": 100}, "Chart Text", [*CHARACTERS, RUPEE]),
    ("devanagari", "anek-devanagari", "devanagari", {"wght": 650, "wdth": 110}, "Chart Devanagari", DEVANAGARI),
]


def main():
    make_for_browsers()
    make_for_images()


def make_for_browsers():
    for name, axes in FONTS.items():
        letters, extended = (cut(name, part, axes) for part in ("latin", "latin-ext"))
        if RUPEE in extended.getBestCmap():
            copy_glyph(extended, letters, RUPEE)
        subset(letters, [*CHARACTERS, RUPEE], LETTER_FEATURES)
        save(letters, name)
    # One weight: the whole range would be more than the two Latin faces together.
    hindi = cut("anek-devanagari", "devanagari", {"wght": 500, "wdth": 100})
    subset(hindi, DEVANAGARI, DEVANAGARI_FEATURES)
    save(hindi, "anek-devanagari")


def save(font, name):
    target = HERE / f"{name}.woff2"
    font.flavor = "woff2"
    font.save(target)
    print(target.name, target.stat().st_size)


def make_for_images():
    for file, package, part, axes, family, characters in FACES:
        font = cut(package, part, axes)
        rename(font, family)
        same_line_height(font)
        if file == "text":
            draw_rupee(cut("anek-latin", "latin-ext", {"wght": 520, "wdth": 100}), font)
        is_hindi = characters is DEVANAGARI
        subset(font, characters, DEVANAGARI_FEATURES if is_hindi else LETTER_FEATURES, is_static=True)
        target = STATIC / f"{file}.ttf"
        font.flavor = None
        font.save(target)
        print(target.name, target.stat().st_size)


def rename(font, family):
    names = font["name"]
    names.names = [one for one in names.names if one.nameID in (0, 13, 14)]
    for name_id, text in {1: family, 2: "Regular", 4: family, 6: family.replace(" ", "")}.items():
        names.setName(text, name_id, 3, 1, 0x409)
    font["OS/2"].usWeightClass, font["OS/2"].usWidthClass = 400, 5


def same_line_height(font):
    """Lines of two scripts must stand on one base line, whichever face comes first."""
    em = font["head"].unitsPerEm
    hhea, os2 = font["hhea"], font["OS/2"]
    hhea.ascent = os2.sTypoAscender = os2.usWinAscent = round(0.97 * em)
    hhea.descent = os2.sTypoDescender = round(-0.25 * em)
    os2.usWinDescent = round(0.25 * em)
    hhea.lineGap = os2.sTypoLineGap = 0


def draw_rupee(source, target):
    """Instrument Sans has no rupee sign: that of Anek, at the height of its capitals."""
    name = source.getBestCmap()[RUPEE]
    scale = target["OS/2"].sCapHeight / source["OS/2"].sCapHeight
    pen = TTGlyphPen(None)
    source.getGlyphSet()[name].draw(TransformPen(pen, (scale, 0, 0, scale, 0, 0)))
    target.setGlyphOrder([*target.getGlyphOrder(), "rupee"])
    glyph = target["glyf"]["rupee"] = pen.glyph()
    glyph.recalcBounds(target["glyf"])
    target["hmtx"]["rupee"] = (round(source["hmtx"][name][0] * scale), glyph.xMin)
    for table in target["cmap"].tables:
        if table.isUnicode():
            table.cmap[RUPEE] = "rupee"


def cut(name, part, axes):
    font = TTFont(PACKAGES / name / "files" / f"{name}-{part}-standard-normal.woff2")
    return instantiateVariableFont(font, axes)


def copy_glyph(source, target, codepoint):
    glyph = source.getBestCmap()[codepoint]
    name = "rupee"
    target.setGlyphOrder([*target.getGlyphOrder(), name])
    target["glyf"][name] = deepcopy(source["glyf"][glyph])
    target["hmtx"][name] = source["hmtx"][glyph]
    complete_moves(target)
    target["gvar"].variations[name] = deepcopy(source["gvar"].variations[glyph])
    for table in target["cmap"].tables:
        if table.isUnicode():
            table.cmap[codepoint] = name
    # Without this table the widths are read from the glyphs' own variations, the new one's too.
    if "HVAR" in target:
        del target["HVAR"]


def complete_moves(font):
    """Glyphs that stand still have no entry of their own, which the subsetter does not expect."""
    moves = font["gvar"].variations
    font["gvar"].variations = {one: moves[one] if one in moves else [] for one in font["glyf"].keys()}


def subset(font, characters, features, is_static=False):
    options = Options()
    options.layout_features = features
    options.name_IDs = [0, 1, 2, 4, 6, 13, 14] if is_static else [0, 1, 2, 13, 14]
    options.hinting = not is_static
    options.notdef_outline = True
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)


main()

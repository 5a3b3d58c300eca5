"""Makes the three font files of the product out of the npm font packages.

Only to be run when the set of characters or the axes change; what it writes is committed.
Needs fonttools with brotli (Debian: apt-get install fonttools python3-brotli):

    npm install --no-save @fontsource-variable/anek-latin@5.3.0 @fontsource-variable/instrument-sans@5.3.0 \\
        @fontsource-variable/anek-devanagari@5.3.0
    /usr/bin/python3 app/ui/fonts/make.py

The packages keep the rupee sign in another file than the letters; it is copied over, so that every
price is set from one font. The Devanagari of what people write is fetched where there is some.
"""

from copy import deepcopy
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).parent
PACKAGES = HERE / "../../../node_modules/@fontsource-variable"
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


def main():
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


def subset(font, characters, features):
    options = Options()
    options.layout_features = features
    options.name_IDs = [0, 1, 2, 13, 14]
    options.notdef_outline = True
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)


main()

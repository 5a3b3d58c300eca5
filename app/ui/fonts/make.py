"""Makes the font files of the product out of the npm font packages: those for browsers, four for the
preview images that the server draws, and six that are embedded in annotated PDFs.

Run it when the set of characters or the axes change, and commit what it writes.
It needs fonttools with brotli (Debian: apt-get install fonttools python3-brotli):

    npm install --prefix /tmp/fonts @fontsource-variable/anek-latin@5.3.0 \\
      @fontsource-variable/instrument-sans@5.3.0 @fontsource-variable/anek-devanagari@5.3.0 \\
      @fontsource-variable/anek-tamil@5.3.0
    /usr/bin/python3 app/ui/fonts/make.py /tmp/fonts

A first visit waits for the two faces of plain letters, so these contain only what public pages need:
few weights, few signs, kerning in classes. Browsers fetch accents and Devanagari for pages that have
some. Instrument Sans has no rupee sign, so it gets Anek's.
"""

import sys
from collections import defaultdict
from copy import deepcopy
from pathlib import Path
from string import ascii_letters, ascii_lowercase, ascii_uppercase

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).parent
PACKAGES = Path(sys.argv[1]) / "node_modules/@fontsource-variable"
STATIC = HERE / "../../../server/social-images/fonts"
DOCUMENTS = HERE / "../../annotations/pdf/fonts"
RUPEE = 0x20B9
CHARACTERS = [*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "–—‘’“”‚„•…−×′″‹›")]
PLAIN = [*range(0x20, 0x7F), *map(ord, "\u00a0©°·×–—‘’“”•…−′")]
DEVANAGARI = [*range(0x900, 0x980), 0x200C, 0x200D, 0x25CC]
LETTER_FEATURES = ["kern", "liga", "locl", "ccmp", "mark", "rvrn", "tnum", "pnum", "case"]
# The features that spelling needs. Those that choose finer forms would triple the file.
DEVANAGARI_FEATURES = ["nukt", "akhn", "rphf", "rkrf", "blwf", "half", "vatu", "cjct", "haln"]
DEVANAGARI_FEATURES += ["abvm", "blwm", "blws", "mark"]

# Headings have one weight: a second one would make the file half as large again.
DISPLAY = {"wght": 600, "wdth": 125}
TEXT = {"wght": (400, 400, 600), "wdth": 100}

# In thousandths of the font size.
MAX_OFF, KERNING_STEP = 10, 5
CLOSING = ".,:;?!’'-–)”"
FIRSTS = ascii_letters + "(“‘-–’'"
SECONDS = ascii_letters + CLOSING

# The preview images need static fonts, which their renderer looks up by name: file, package, part of it,
# position on the axes, name, characters.
EXTENDED = range(0x100, 0x180)
FACES = [
    ("display", "anek-latin", "latin", {"wght": 700, "wdth": 125}, "Chart Display", CHARACTERS),
    ("display-extended", "anek-latin", "latin-ext", {"wght": 700, "wdth": 125}, "Chart Extended", [*EXTENDED, RUPEE]),
    ("text", "instrument-sans", "latin", {"wght": 500, "wdth": 100}, "Chart Text", [*CHARACTERS, RUPEE]),
    ("devanagari", "anek-devanagari", "devanagari", {"wght": 650, "wdth": 110}, "Chart Devanagari", DEVANAGARI),
]

# The faces of annotated PDFs: file, package, part of it, position on the axes, characters (None for all).
TAMIL = [*range(0xB80, 0xC00), 0x200C, 0x200D, 0x25CC]
TAMIL_FEATURES = ["akhn", "half", "pres", "psts", "abvs", "blws", "haln", "rlig", "liga", "abvm", "blwm", "mark"]
DOCUMENT_FACES = [
    ("display", "anek-latin", "latin", {"wght": 600, "wdth": 125}, None),
    ("text", "instrument-sans", "latin", {"wght": 400, "wdth": 100}, None),
    ("bold", "instrument-sans", "latin", {"wght": 600, "wdth": 100}, None),
    ("extended", "instrument-sans", "latin-ext", {"wght": 450, "wdth": 100}, None),
    ("devanagari", "anek-devanagari", "devanagari", {"wght": 400, "wdth": 100}, DEVANAGARI),
    ("tamil", "anek-tamil", "tamil", {"wght": 400, "wdth": 100}, TAMIL),
]


def main():
    make_for_browsers()
    make_for_images()
    make_for_documents()


def make_for_browsers():
    for name, axes in {"anek-latin": DISPLAY, "instrument-sans": TEXT}.items():
        letters = cut(name, "latin", axes)
        kerning = kerning_of(letters)
        add_rupee(letters, **{**axes, "wdth": 125})
        subset(letters, [*PLAIN, RUPEE], ["tnum"])
        scale_upem(letters, 1000)
        add_kerning(letters, kerning)
        save(letters, name)
        accents = cut(name, "latin", axes)
        subset(accents, set(CHARACTERS) - set(PLAIN), [])
        scale_upem(accents, 1000)
        save(accents, f"{name}-accents")
    # It has one weight: the complete range would be larger than both Latin faces.
    hindi = cut("anek-devanagari", "devanagari", {"wght": 500, "wdth": 100})
    subset(hindi, DEVANAGARI, DEVANAGARI_FEATURES)
    scale_upem(hindi, 1000)
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
            add_rupee(font, wght=520, wdth=100)
        is_hindi = characters is DEVANAGARI
        subset(font, characters, DEVANAGARI_FEATURES if is_hindi else LETTER_FEATURES, is_static=True)
        target = STATIC / f"{file}.ttf"
        font.flavor = None
        font.save(target)
        print(target.name, target.stat().st_size)


def make_for_documents():
    """Makes complete faces: the PDF writer embeds the characters that a document needs."""
    for file, package, part, axes, characters in DOCUMENT_FACES:
        font = cut(package, part, axes)
        if package == "instrument-sans" and part == "latin":
            add_rupee(font, wght=axes["wght"] + 20, wdth=100)
            add_arrows(font)
        features = {"devanagari": DEVANAGARI_FEATURES, "tamil": TAMIL_FEATURES}.get(part, LETTER_FEATURES)
        subset(font, characters or list(font.getBestCmap()), features, is_static=True)
        target = DOCUMENTS / f"{file}.ttf"
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
    """Lines of two scripts share a base line, whichever face comes first."""
    em = font["head"].unitsPerEm
    hhea, os2 = font["hhea"], font["OS/2"]
    hhea.ascent = os2.sTypoAscender = os2.usWinAscent = round(0.97 * em)
    hhea.descent = os2.sTypoDescender = round(-0.25 * em)
    os2.usWinDescent = round(0.25 * em)
    hhea.lineGap = os2.sTypoLineGap = 0


def cut(name, part, axes):
    font = TTFont(PACKAGES / name / "files" / f"{name}-{part}-standard-normal.woff2", recalcTimestamp=False)
    return instantiateVariableFont(font, axes)


def add_rupee(target, **axes):
    """Adds Anek's sign at the height of this face's capitals. It becomes bolder with the letters."""
    source = cut("anek-latin", "latin-ext", axes)
    glyph = source.getBestCmap()[RUPEE]
    scale = target["OS/2"].sCapHeight / source["OS/2"].sCapHeight
    target.setGlyphOrder([*target.getGlyphOrder(), "rupee"])
    outline = target["glyf"]["rupee"] = deepcopy(source["glyf"][glyph])
    outline.coordinates.scale((scale, scale))
    outline.coordinates.toInt()
    outline.recalcBounds(target["glyf"])
    target["hmtx"]["rupee"] = (round(source["hmtx"][glyph][0] * scale), outline.xMin)
    if "gvar" in target:
        complete_moves(target)
        moves = target["gvar"].variations["rupee"] = deepcopy(source["gvar"].variations[glyph])
        for move in moves:
            move.scaleDeltas(scale)
        # If this table is missing, readers take widths from the glyphs' variations, also the new one's.
        if "HVAR" in target:
            del target["HVAR"]
    for table in target["cmap"].tables:
        if table.isUnicode():
            table.cmap[RUPEE] = "rupee"


def add_arrows(font):
    """Adds arrows to the sides, which remarks have between two wordings, by rotating the one that points up."""
    up = font.getBestCmap()[ord("↑")]
    glyphs, width = font.getGlyphSet(), font["hmtx"][up][0]
    middle = font["OS/2"].sCapHeight / 2
    for character, (x, y) in {"→": (0, 1), "←": (0, -1)}.items():
        name = f"uni{ord(character):04X}"
        pen = TTGlyphPen(None)
        # Rotates around the middle of its box.
        glyphs[up].draw(TransformPen(pen, (x, -y, y, x, width / 2 - y * middle, middle + y * width / 2)))
        font.setGlyphOrder([*font.getGlyphOrder(), name])
        font["glyf"][name] = pen.glyph()
        font["glyf"][name].recalcBounds(font["glyf"])
        font["hmtx"][name] = (width, font["glyf"][name].xMin)
        for table in font["cmap"].tables:
            if table.isUnicode():
                table.cmap[ord(character)] = name


def complete_moves(font):
    """Adds the missing entries of glyphs that never move, since the subsetter requires them."""
    moves = font["gvar"].variations
    font["gvar"].variations = {one: moves[one] if one in moves else [] for one in font["glyf"].keys()}


def subset(font, characters, features, is_static=False):
    options = Options()
    options.layout_features = features
    options.name_IDs = [0, 1, 2, 4, 6, 13, 14] if is_static else [0, 1, 2, 13, 14]
    options.hinting = False
    options.notdef_outline = is_static
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    if "gvar" in font:
        complete_moves(font)
    subsetter.subset(font)


def kerning_of(font):
    """Returns how far pairs of characters move together, in thousandths of the font size; 0 is left out."""
    names = {glyph: character for character, glyph in font.getBestCmap().items()}
    table = font["GPOS"].table
    lookups = {i for one in table.FeatureList.FeatureRecord if one.FeatureTag == "kern" for i in one.Feature.LookupListIndex}
    kerning = defaultdict(int)
    for lookup in (table.LookupList.Lookup[index] for index in lookups):
        moved = {}
        for part in (getattr(one, "ExtSubTable", one) for one in lookup.SubTable):
            for pair, value in moves_in(part, names):
                # The first part of a lookup that has a pair decides.
                moved.setdefault(pair, value)
        for (first, second), value in moved.items():
            kerning[names[first], names[second]] += value * 1000 / font["head"].unitsPerEm
    return kerning


def moves_in(part, glyphs):
    for index, first in enumerate(part.Coverage.glyphs):
        if first not in glyphs:
            continue
        if part.Format == 1:
            pairs = ((one.SecondGlyph, one.Value1) for one in part.PairSet[index].PairValueRecord)
        else:
            row = part.Class1Record[part.ClassDef1.classDefs.get(first, 0)].Class2Record
            pairs = ((second, row[part.ClassDef2.classDefs.get(second, 0)].Value1) for second in glyphs)
        for second, value in pairs:
            if second in glyphs:
                yield (first, second), getattr(value, "XAdvance", 0)


def add_kerning(font, kerning):
    """
    Adds the kerning of pairs that words have, in classes of letters: a tenth of the file instead of half of
    it. A pair is off by at most MAX_OFF and half a step.
    """
    rows = alike({one: [span(kerning, one, other) for other in SECONDS] for one in FIRSTS})
    columns = alike({other: [row[place] for _, row in rows] for place, other in enumerate(SECONDS)})
    glyphs = font.getBestCmap()
    rules = []
    for seconds, column in columns:
        for (firsts, _), limits in zip(rows, column):
            value = round(sum(limits or (0, 0)) / 2 / KERNING_STEP) * KERNING_STEP
            if value:
                first, second = (" ".join(glyphs[ord(one)] for one in side) for side in (firsts, seconds))
                rules.append(f"pos [{first}] [{second}] {value};")
    if "GDEF" in font:
        # This table says how kerning changes with the weight. Ours does not change.
        del font["GDEF"]
    addOpenTypeFeaturesFromString(font, f"feature kern {{ {' '.join(rules)} }} kern;", tables=["GPOS"])


def span(kerning, first, second):
    """Returns how little and how much a pair may move; None if no word has it."""
    if first in ascii_letters and (second in ascii_letters or second in CLOSING):
        is_impossible = first in ascii_lowercase and second in ascii_uppercase
    else:
        is_impossible = second not in ascii_letters
    return None if is_impossible else (kerning[ord(first), ord(second)],) * 2


def alike(vectors):
    """Groups the names with similar vectors, and gives each group a vector that spans them all."""
    groups = []
    for name, vector in sorted(vectors.items(), key=lambda one: -sum(abs(low) for low, _ in filter(None, one[1]))):
        joined = [(sum(width(one) for one in both) - sum(width(one) for one in group[1]), group, both)
                  for group in groups for both in [[join(*pair) for pair in zip(group[1], vector)]]
                  if max(map(width, both)) <= 2 * MAX_OFF]
        if joined:
            _, group, both = min(joined, key=lambda one: one[0])
            group[0].append(name)
            group[1] = both
        else:
            groups.append([[name], vector])
    return groups


def join(one, other):
    return (min(one[0], other[0]), max(one[1], other[1])) if one and other else one or other


def width(known):
    return known[1] - known[0] if known else 0


main()

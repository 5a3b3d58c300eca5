/** Checks of a page. Each runs in the browser, so it is self-contained, and returns the problems it finds. */

/** Finds controls whose centre is covered by another element. While a dialog is open, it checks only the dialog. */
export function underOthers(): string[] {
  const within = document.querySelector("dialog:modal") ?? document;
  const controls = within.querySelectorAll<HTMLElement>(
    "a[href], button, summary, label, select, textarea, input:not([type=hidden])",
  );
  return [...controls].flatMap((element) => {
    // Older toasts are stacked behind the newest.
    if (element.closest("[data-behind]")) return [];
    const isVisible = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!isVisible) return [];
    if (takesFocusUnseen(element)) return [`${describe(element)} takes the focus unseen`];
    if (isForScreenReaders(element)) return [];
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    // A link in a drawing encloses more than it paints, so its circle is the target.
    // A link that wraps has its centre between two lines, so its first box is used.
    const target = element.querySelector("circle") ?? element;
    const { x, y, width, height } = target.getClientRects()[0]!;
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    if (sameControl(element).some((part) => part.contains(hit))) return [];
    return [`${describe(element)} is under ${hit ? hit.outerHTML.slice(0, 90) : "nothing"}`];
  });

  function isForScreenReaders(element: HTMLElement): boolean {
    return element.closest(".skip-link, [aria-hidden=true]") !== null || isClipped(element);
  }

  function isClipped(element: HTMLElement | null): boolean {
    for (let box = element; box; box = box.parentElement) {
      if (getComputedStyle(box).clipPath === "inset(50%)") return true;
    }
    return false;
  }

  /** A field with a visible label shows its focus on the label. */
  function takesFocusUnseen(element: HTMLElement): boolean {
    if (element.tabIndex < 0 || !sameControl(element).every(isClipped)) return false;
    element.focus();
    const isUnseen = document.activeElement === element && isClipped(element);
    element.blur();
    return isUnseen;
  }

  function describe(element: HTMLElement): string {
    // Links in drawings have no inner text.
    return element.innerText?.trim() || element.outerHTML.slice(0, 90);
  }

  /** A click on a label acts on its field, which may cover the label or be hidden inside it. */
  function sameControl(element: HTMLElement): HTMLElement[] {
    const control = element instanceof HTMLLabelElement ? element.control : element;
    const labels = control && "labels" in control ? (control as HTMLInputElement).labels : null;
    return [element, control, ...(labels ?? [])].filter((part) => part !== null);
  }
}

/**
 * Finds controls that stay under a fixed or sticky bar when they take the focus at the edge of the box that scrolls
 * (WCAG 2.4.11).
 */
export function underBars(): string[] {
  const within = document.querySelector("dialog:modal") ?? document.body;
  if (![...within.querySelectorAll("*")].some(isBar)) return [];
  const controls = within.querySelectorAll<HTMLElement>(
    "a[href], button, summary, select, textarea, input:not([type=hidden]), [tabindex='0']",
  );
  return [...controls].flatMap((element) => {
    if (element.matches(":disabled") || !element.checkVisibility({ visibilityProperty: true }))
      return [];
    const scroller = findScroller(element);
    return ["top", "bottom"].flatMap((edge) => {
      moveTo(element, scroller, edge);
      element.blur();
      element.focus();
      const { x, y, width, height } = element.getClientRects()[0] ?? new DOMRect();
      if (width <= 1 || height <= 1) return [];
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      const bar = findBar(hit);
      if (!bar || bar.contains(element)) return [];
      const label = element.innerText?.trim().slice(0, 60) || element.outerHTML.slice(0, 90);
      return [`${label} at the ${edge} is under ${bar.outerHTML.slice(0, 90)}`];
    });
  });

  function isBar(element: Element): boolean {
    const { position } = getComputedStyle(element);
    return position === "fixed" || position === "sticky";
  }

  function findBar(from: Element | null): Element | null {
    let element = from;
    while (element && !isBar(element)) element = element.parentElement;
    return element;
  }

  function findScroller(element: Element): Element {
    for (let box = element.parentElement; box; box = box.parentElement) {
      const { overflowY } = getComputedStyle(box);
      if (/auto|scroll/.test(overflowY) && box.scrollHeight > box.clientHeight) return box;
    }
    return document.documentElement;
  }

  function moveTo(element: Element, scroller: Element, edge: string): void {
    const place = element.getBoundingClientRect();
    const isPage = scroller === document.documentElement;
    const box = scroller.getBoundingClientRect();
    const [top, bottom] = isPage ? [0, innerHeight] : [box.top, box.top + scroller.clientHeight];
    const distance = edge === "top" ? place.top - top : place.bottom - bottom;
    scroller.scrollBy({ top: distance, behavior: "instant" });
  }
}

/** Finds words that break although they fit on a line. Addresses may break. */
export function brokenWords(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const broken: string[] = [];
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    // A text on one line has no broken words, so the slow check of each word can be skipped.
    range.selectNodeContents(text);
    if (range.getClientRects().length < 2) continue;
    for (const { 0: word, index } of text.data.matchAll(/(?<!\S)[\p{L}\p{N}]{2,16}(?!\S)/gu)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const boxes = [...range.getClientRects()];
      const tops = boxes.map(({ top }) => top);
      const isBroken = Math.max(...tops) - Math.min(...tops) > (boxes[0]?.height ?? 0) / 2;
      if (isBroken) broken.push(`${word} is broken in ${text.data.slice(0, 60)}`);
    }
  }
  return broken;
}

/** Finds elements that overflow the window or an open dialog. */
export function stickingOut(): string[] {
  const boxes = [document.documentElement, ...document.querySelectorAll("dialog:modal")];
  return boxes.flatMap((box) => {
    if (box.scrollWidth <= box.clientWidth) return [];
    const edge = box.getBoundingClientRect().left + box.clientWidth + 1;
    const overflowing = [...box.querySelectorAll<HTMLElement>("*")].filter(
      (element) => element.getBoundingClientRect().right > edge,
    );
    const innermost = overflowing.slice(-3).map((element) => element.outerHTML.slice(0, 70));
    return [`${box.scrollWidth} of ${box.clientWidth} pixels, by ${innermost.join(", ")}`];
  });
}

/** Finds buttons, fields and menu links smaller than 44 pixels. Links within text may be smaller. */
export function tooSmall(): string[] {
  const controls = document.querySelectorAll<HTMLElement>(
    ".button:not(.button_sm), .button_icon-button, summary, .menu > button, .row-menu > a, .field_input, .header_nav a, .footer li a, [role=tab]",
  );
  return [...controls].flatMap((element) => {
    const { width, height } = element.getBoundingClientRect();
    if (width === 0 || (height > 43.5 && width > 43.5)) return [];
    const label = element.innerText || element.outerHTML.slice(0, 60);
    return [`${label}, ${Math.round(width)} × ${Math.round(height)}`];
  });
}

/** Finds fields without an accessible name. */
export function nameless(): string[] {
  const fields = document.querySelectorAll<HTMLInputElement>("input, select, textarea");
  return [...fields].flatMap((field) => {
    if (field.type === "hidden" || field.closest("[aria-hidden=true]")) return [];
    const isNamed = field.labels?.length || field.ariaLabel || field.ariaLabelledByElements?.length;
    return isNamed ? [] : [field.outerHTML.slice(0, 80)];
  });
}

/** Finds links back to another screen that are not above the title. */
export function backBesideTitle(): string[] {
  const links = document.querySelectorAll<HTMLElement>(".page_head a");
  return [...links].flatMap(({ innerText }) => (/^Back\b/.test(innerText) ? [innerText] : []));
}

/** Finds animations and transitions that run despite reduced motion. */
export function moving(): string[] {
  return document
    .getAnimations()
    .filter(
      (animation) =>
        animation instanceof CSSTransition ||
        Number(animation.effect?.getComputedTiming().endTime) > 100,
    )
    .map((animation) => String((animation.effect as KeyframeEffect).target?.className));
}

/** Finds text that is clipped by a box with hidden overflow. */
export function cutOff(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const clipped: string[] = [];
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { right, bottom, width } = range.getBoundingClientRect();
    if (width === 0 || !text.textContent?.trim()) continue;
    for (let box = text.parentElement; box; box = box.parentElement) {
      const { overflowX, clipPath, textOverflow } = getComputedStyle(box);
      if (clipPath !== "none" || textOverflow === "ellipsis") break;
      const edge = box.getBoundingClientRect();
      const isOut = right > edge.right + 1 || bottom > edge.bottom + 1;
      if (/hidden|clip/.test(overflowX) && isOut) clipped.push(text.textContent.slice(0, 40));
    }
  }
  return clipped;
}

/**
 * Finds visible text whose size or weight isn't one of ours, and pages with more than nine combinations of size,
 * weight and face. The words of a reviewed document have its own sizes.
 */
export function unusualType(): string[] {
  const sizes = [13, 15, 17, 20, 24, 32, 44, 60];
  const samples = new Map<string, string>();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode as Text;
    if (data.trim() && parentElement) add(parentElement, data.trim());
  }
  const fields = "textarea, select, input:not([type=checkbox], [type=radio], [type=file])";
  for (const field of document.querySelectorAll(fields)) add(field, field.outerHTML);

  const unusual = [...samples].filter(([style]) => {
    const [size, weight] = style.split(" ").map(Number.parseFloat);
    return !sizes.includes(size!) || ![400, 500, 600].includes(weight!);
  });
  const problems = unusual.map(([style, sample]) => `${style}: ${sample}`);
  return samples.size > 9
    ? [...problems, `${samples.size} combinations: ${JSON.stringify([...samples])}`]
    : problems;

  function add(element: Element, sample: string): void {
    if (!isShown(element)) return;
    const { fontSize, fontWeight, fontFamily } = getComputedStyle(element);
    const [face = ""] = fontFamily.split(",");
    const style = `${fontSize} ${fontWeight} ${face}`;
    if (!samples.has(style)) samples.set(style, sample.slice(0, 60));
  }

  function isShown(element: Element): boolean {
    const { width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1 || element.closest("[data-start]")) return false;
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  }
}

/** The checks of a page. Each runs in the browser, so it is self-contained, and returns what it finds. */

/** Finds controls that something else covers at their middle; while a dialog is open, only inside it. */
export function underOthers(): string[] {
  const within = document.querySelector("dialog:modal") ?? document;
  const pressed = within.querySelectorAll<HTMLElement>(
    "a[href], button, summary, label, select, textarea, input:not([type=hidden])",
  );
  return [...pressed].flatMap((element) => {
    // Older messages are stacked behind the newest.
    if (element.closest("[data-behind]")) return [];
    const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!isSeen) return [];
    if (takesFocusUnseen(element)) return [`${naming(element)} takes the focus unseen`];
    if (isForReadersOnly(element)) return [];
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    // A link that goes on in the next line has its middle between the two.
    // A link of a drawing encloses more than it paints; its circle is what one presses.
    const target = element.querySelector("circle") ?? element;
    const { x, y, width, height } = target.getClientRects()[0]!;
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    if (sameControl(element).some((part) => part.contains(hit))) return [];
    return [`${naming(element)} is under ${hit ? hit.outerHTML.slice(0, 90) : "nothing"}`];
  });

  function isForReadersOnly(element: HTMLElement): boolean {
    return element.closest(".skip-link, [aria-hidden=true]") !== null || isClipped(element);
  }

  function isClipped(element: HTMLElement | null): boolean {
    for (let box = element; box; box = box.parentElement) {
      if (getComputedStyle(box).clipPath === "inset(50%)") return true;
    }
    return false;
  }

  /** A field whose label is seen shows its focus there. */
  function takesFocusUnseen(element: HTMLElement): boolean {
    if (element.tabIndex < 0 || !sameControl(element).every(isClipped)) return false;
    element.focus();
    const isUnseen = document.activeElement === element && isClipped(element);
    element.blur();
    return isUnseen;
  }

  function naming(element: HTMLElement): string {
    // One of a drawing has no inner text.
    return element.innerText?.trim() || element.outerHTML.slice(0, 90);
  }

  /** A click on a label is one on its field; a field may lie over its label or be hidden in it. */
  function sameControl(element: HTMLElement): HTMLElement[] {
    const control = element instanceof HTMLLabelElement ? element.control : element;
    const labels = control && "labels" in control ? (control as HTMLInputElement).labels : null;
    return [element, control, ...(labels ?? [])].filter((part) => part !== null);
  }
}

/** Finds words that break although they fit into a line; addresses may break. */
export function brokenWords(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const broken: string[] = [];
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    // A text on one line breaks no word. Most texts are like that, and checking each word takes long.
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

/** Finds elements that reach beyond the window or an open dialog without being cut off. */
export function stickingOut(): string[] {
  const boxes = [document.documentElement, ...document.querySelectorAll("dialog:modal")];
  return boxes.flatMap((box) => {
    if (box.scrollWidth <= box.clientWidth) return [];
    const edge = box.getBoundingClientRect().left + box.clientWidth + 1;
    const out = [...box.querySelectorAll<HTMLElement>("*")].filter(
      (element) => element.getBoundingClientRect().right > edge,
    );
    const first = out.slice(-3).map((element) => element.outerHTML.slice(0, 70));
    return [`${box.scrollWidth} of ${box.clientWidth} pixels, by ${first.join(", ")}`];
  });
}

/** Buttons, fields and the links of menus under 44 pixels; links within a text may be small. */
export function tooSmall(): string[] {
  const pressed = document.querySelectorAll<HTMLElement>(
    ".button:not(.button-sm), .icon-button, summary, .menu > button, .row-menu > button, .input, .site-nav a, .site-footer li a, [role=tab]",
  );
  return [...pressed].flatMap((element) => {
    const { width, height } = element.getBoundingClientRect();
    if (width === 0 || (height > 43.5 && width > 43.5)) return [];
    const words = element.innerText || element.outerHTML.slice(0, 60);
    return [`${words}, ${Math.round(width)} × ${Math.round(height)}`];
  });
}

/** Fields that nothing names. */
export function nameless(): string[] {
  const fields = document.querySelectorAll<HTMLInputElement>("input, select, textarea");
  return [...fields].flatMap((field) => {
    if (field.type === "hidden" || field.closest("[aria-hidden=true]")) return [];
    const isNamed = field.labels?.length || field.ariaLabel || field.ariaLabelledByElements?.length;
    return isNamed ? [] : [field.outerHTML.slice(0, 80)];
  });
}

/** Finds animations and transitions although the person asked for reduced motion. */
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

/** Words that stick out of a box which hides what sticks out. */
export function cutOff(): string[] {
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (words.nextNode()) {
    const text = words.currentNode;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { right, bottom, width } = range.getBoundingClientRect();
    if (width === 0 || !text.textContent?.trim()) continue;
    for (let box = text.parentElement; box; box = box.parentElement) {
      const { overflowX, clipPath, textOverflow } = getComputedStyle(box);
      if (clipPath !== "none" || textOverflow === "ellipsis") break;
      const edge = box.getBoundingClientRect();
      const isOut = right > edge.right + 1 || bottom > edge.bottom + 1;
      if (/hidden|clip/.test(overflowX) && isOut) found.push(text.textContent.slice(0, 40));
    }
  }
  return found;
}

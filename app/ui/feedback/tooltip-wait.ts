/** How long the pointer has to rest before a tooltip shows. */
const pause = 700;
/** Who goes on to another element this soon after one tooltip is reading them: no pause again. */
const skipWithin = 300;

/** Of all tooltips of the page together; `clock` gives milliseconds. */
export function createTooltipWait(clock: () => number) {
  let closedAt = -Infinity;
  return {
    /** The pause, in milliseconds, before the tooltip that is pointed at now. */
    before: () => (clock() - closedAt <= skipWithin ? 0 : pause),
    closed: () => {
      closedAt = clock();
    },
  };
}

export const tooltipWait = createTooltipWait(() => performance.now());

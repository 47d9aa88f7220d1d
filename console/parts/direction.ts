/** Whether lines start at the right, as in Arabic. */
export const isFromRight = () => document.documentElement.dir === 'rtl';

/** The keys that lead to the next and to the previous item of a line. */
export const arrowKeys = () =>
  isFromRight()
    ? ({ forth: 'ArrowLeft', back: 'ArrowRight' } as const)
    : ({ forth: 'ArrowRight', back: 'ArrowLeft' } as const);

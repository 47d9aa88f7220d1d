/** The texts of `words.ts` in German. */
export const needsScript = 'Diese Seite braucht JavaScript.';

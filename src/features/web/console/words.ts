/** The texts of the page that loads the console, whose own texts are in `console`. */
export const needsScript = 'This page needs JavaScript.';

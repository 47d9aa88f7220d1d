/** The texts of `words.ts` in German. */

export const toolbar = 'Formatierung';
export const moreTools = 'Formatierung anzeigen';
export const insertEmoji = 'Emoji einfügen';
export const preview = 'Vorschau';
export const widgets = { poll: 'Umfrage erstellen', todo: 'Aufgabenliste erstellen' };
export const nothingToPreview = 'Nichts anzuzeigen';

export const formats = {
  bold: 'Fett (Strg+B)',
  italic: 'Kursiv (Strg+I)',
  strike: 'Durchgestrichen (Strg+Umschalt+X)',
  link: 'Link (Strg+Umschalt+L)',
  code: 'Code (Strg+E)',
  quote: 'Zitatblock',
  bullets: 'Aufzählung',
  numbers: 'Nummerierte Liste',
  spoiler: 'Spoiler',
};

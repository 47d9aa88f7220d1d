/** The texts of `words.ts` in German. */

export const title = 'Bildbetrachter';
export const previous = 'Voriges Bild';
export const next = 'Nächstes Bild';
export const zoomIn = 'Vergrößern';
export const zoomOut = 'Verkleinern';
export const fit = 'An das Fenster anpassen';
export const open = 'Original öffnen';
export const download = 'Herunterladen';
export const close = 'Schließen';
export const place = (at: number, count: number) => `${at} von ${count}`;
export const broken = 'Dieses Bild kann nicht angezeigt werden.';

/** Beside the name of a picture: who sent it, and when. */
export const sent = (name: string, time: string) => `${name}, ${time}`;

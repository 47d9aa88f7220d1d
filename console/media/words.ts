/** The texts of the picture viewer, which load with it. */

export const title = 'Picture viewer';
export const previous = 'Previous picture';
export const next = 'Next picture';
export const zoomIn = 'Zoom in';
export const zoomOut = 'Zoom out';
export const fit = 'Fit to window';
export const open = 'Open original';
export const download = 'Download';
export const close = 'Close';
export const place = (at: number, count: number) => `${at} of ${count}`;
export const broken = 'This picture can’t be shown.';

/** Beside the name of a picture: who sent it, and when. */
export const sent = (name: string, time: string) => `${name}, ${time}`;

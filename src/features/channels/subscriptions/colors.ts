/** Colours that subscriptions get by themselves, in the order in which they are given out. */
const PALETTE = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
  '#c2726a',
  '#94c849',
  '#bd86e5',
  '#ee7e4a',
  '#a6dcbf',
  '#95a5fd',
  '#53a063',
  '#9987e1',
  '#e4523d',
  '#c2c2c2',
  '#4f8de4',
  '#c6a8ad',
  '#e7cc4d',
  '#c8bebf',
  '#a47462',
] as const;

/** Whether a text is a colour: `#` and three to six hexadecimal digits. */
export function isColor(text: string): boolean {
  return /^#[0-9a-f]{3,6}$/i.test(text);
}

/** Whether there is a colour that a person does not use yet. */
export function hasFreeColor(used: ReadonlySet<string>): boolean {
  return PALETTE.some((color) => !used.has(color));
}

/** The first colour that a person does not use yet; once all are in use, one that depends on the channel. */
export function freeColor(used: ReadonlySet<string>, channelId: number): string {
  return PALETTE.find((color) => !used.has(color)) ?? (PALETTE[channelId % PALETTE.length] as string);
}

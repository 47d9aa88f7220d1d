import { type InvalidColor, PropertyNotBoolean, UnknownSubscriptionProperty } from '../store/channels.api';

/** Colors for new subscriptions, in the order in which they are assigned. */
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

/** Whether a text is a color: `#` and three to six hexadecimal digits. */
export function isColor(text: string): boolean {
  return /^#[0-9a-f]{3,6}$/i.test(text);
}

/** Whether the palette has a color that a person does not use yet. */
export function hasFreeColor(used: ReadonlySet<string>): boolean {
  return PALETTE.some((color) => !used.has(color));
}

/** The first color that a person does not use yet; if all are in use, one that depends on the channel. */
export function freeColor(used: ReadonlySet<string>, channelId: number): string {
  return PALETTE.find((color) => !used.has(color)) ?? (PALETTE[channelId % PALETTE.length] as string);
}

/** Boolean personal settings and their columns; `in_home_view` is the opposite of `is_muted`. */
export const BOOLEAN_COLUMNS = {
  is_muted: 'is_muted',
  in_home_view: 'is_muted',
  pin_to_top: 'is_pinned',
  desktop_notifications: 'desktop_notifications',
  audible_notifications: 'audible_notifications',
  push_notifications: 'push_notifications',
  email_notifications: 'email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const;

/** A boolean property of a subscription, by its name on the wire. */
type BooleanProperty = keyof typeof BOOLEAN_COLUMNS;

/** A validated change of one personal setting. */
export type SettingChange = { readonly channelId: number } & (
  | { readonly property: 'color'; readonly value: string }
  | { readonly property: BooleanProperty; readonly value: boolean }
);

/**
 * Validates a change.
 * @param invalidColor creates the error for an invalid color
 * @throws UnknownSubscriptionProperty, PropertyNotBoolean
 */
export function checkSettingChange(
  channelId: number,
  property: string,
  value: unknown,
  invalidColor: InvalidColor,
): SettingChange {
  if (property === 'color') {
    if (typeof value !== 'string' || !isColor(value)) throw invalidColor;
    return { channelId, property, value };
  }
  if (!isBooleanProperty(property)) throw new UnknownSubscriptionProperty(property);
  if (typeof value !== 'boolean') throw new PropertyNotBoolean(property);
  return { channelId, property, value };
}

/** Parses a value sent as its own parameter: a JSON boolean, or a text with or without JSON quotes. */
export function parseSettingValue(text: string): boolean | string {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}

function isBooleanProperty(property: string): property is BooleanProperty {
  return Object.hasOwn(BOOLEAN_COLUMNS, property);
}

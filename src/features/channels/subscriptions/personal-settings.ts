import {
  type InvalidColor,
  PropertyNotBoolean,
  UnknownSubscriptionProperty,
} from '../store/channel-errors.api';
import { isColor } from './colors';

/** Personal settings that are on or off, with their columns; `in_home_view` is the opposite of `is_muted`. */
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

/** A property of a subscription that is on or off, by its name on the wire. */
export type BooleanProperty = keyof typeof BOOLEAN_COLUMNS;

/** A checked change of one personal setting. */
export type SettingChange = { readonly channelId: number } & (
  | { readonly property: 'color'; readonly value: string }
  | { readonly property: BooleanProperty; readonly value: boolean }
);

/**
 * Checks a change.
 * @param invalidColor what to throw for a text that is no colour
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

/** Reads a value that is sent by itself: a JSON boolean, else text, with or without JSON's quotes. */
export function parseSettingValue(text: string): boolean | string {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}

function isBooleanProperty(property: string): property is BooleanProperty {
  return Object.hasOwn(BOOLEAN_COLUMNS, property);
}

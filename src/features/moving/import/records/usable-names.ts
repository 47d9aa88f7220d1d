import { composedName, withoutHidden, withoutLeadingMarks } from '../../../../platform/names/visible-name';
import { channelNameKey } from '../../../channels/channels.module';
import type { AccountRules } from '../../../users/users.module';
import { cutText } from './archive-row';

const MAX_FULL_NAME = 100;
const MAX_CHANNEL_NAME = 60;

/** Adjusts a full name to the naming rules. @param otherwise used if nothing usable remains */
export function usableFullName(rules: AccountRules, given: string, otherwise: string): string {
  try {
    return rules.checkedFullName(given);
  } catch {
    const kept = cutText(given.replace(/[\p{C}*`\\>"@|]/gu, '').trim(), MAX_FULL_NAME);
    return kept.length > 1 ? kept : otherwise;
  }
}

/**
 * Adjusts a channel name to the naming rules, and makes it unique with the number. Names are compared
 * case-insensitively.
 */
export function usableChannelName(given: string, number: number, isTaken: (key: string) => boolean): string {
  const clean = withoutLeadingMarks(withoutHidden(given.replace(/[\p{Cc}\p{Cs}]/gu, ' ')));
  const name = cutText(composedName(clean), MAX_CHANNEL_NAME).trim() || `channel ${number}`;
  return isTaken(channelNameKey(name)) ? `${cutText(name, MAX_CHANNEL_NAME - 12)} (${number})` : name;
}

/** Prefixes of placeholder addresses for people without one. */
const BEGINNINGS = /^(?:imported-user|slack|mattermost)-/i;

/** Whether an import made up the address, so that email to it reaches nobody. */
export function isPlaceholderAddress(address: string, emailDomain: string): boolean {
  return BEGINNINGS.test(address) && address.toLowerCase().endsWith(`@${emailDomain.toLowerCase()}`);
}

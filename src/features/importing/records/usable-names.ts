import { composedName, withoutHidden, withoutLeadingMarks } from '../../../platform/names/visible-name';
import { channelNameKey } from '../../channels/channels.module';
import type { AccountRules } from '../../users/users.module';
import { cutText } from './archive-row';

const MAX_FULL_NAME = 100;
const MAX_CHANNEL_NAME = 60;

/** A name that a person may have, as near to the one given as can be. @param otherwise where nothing of it can be kept */
export function usableFullName(rules: AccountRules, given: string, otherwise: string): string {
  try {
    return rules.checkedFullName(given);
  } catch {
    const kept = cutText(given.replace(/[\p{C}*`\\>"@|]/gu, '').trim(), MAX_FULL_NAME);
    return kept.length > 1 ? kept : otherwise;
  }
}

/**
 * A name that a channel may have, as near to the one given as can be. Names differ by more than case; one that is taken gets
 * the number behind it.
 */
export function usableChannelName(given: string, number: number, isTaken: (key: string) => boolean): string {
  const clean = withoutLeadingMarks(withoutHidden(given.replace(/[\p{Cc}\p{Cs}]/gu, ' ')));
  const name = cutText(composedName(clean), MAX_CHANNEL_NAME).trim() || `channel ${number}`;
  return isTaken(channelNameKey(name)) ? `${cutText(name, MAX_CHANNEL_NAME - 12)} (${number})` : name;
}

import { recipientIds, topicKey, type Place } from '../connection/place';
import type { Message } from '../connection/records';
import { myId } from '../connection/state';
import { termsOfText, type Term } from '../search/terms';
import { isMutedPlace, placeOf } from './places';

/** A selection of messages shown on a page. */
export type Narrow =
  | Place
  | { readonly channelId: number }
  | { readonly text: string }
  /** All messages that are not muted. */
  | { readonly feed: true }
  | { readonly flag: 'starred' | 'mentioned' };

/** The narrow in terms of the API. */
export function termsOf(narrow: Narrow): Term[] {
  if ('text' in narrow) return termsOfText(narrow.text);
  if ('feed' in narrow) return [{ operator: 'in', operand: 'home' }];
  if ('flag' in narrow) return [{ operator: 'is', operand: narrow.flag }];
  if ('userIds' in narrow) {
    return [{ operator: 'dm', operand: recipientIds(narrow.userIds, myId.value) }];
  }
  const channel: Term = { operator: 'channel', operand: narrow.channelId };
  return 'topic' in narrow ? [channel, { operator: 'topic', operand: narrow.topic }] : [channel];
}

/** Identifies a narrow, its page, and the draft written there. */
export const keyOf = (narrow: Narrow) => JSON.stringify(narrow);

/** Whether a new message belongs to the narrow. Search results are not updated. */
export function fits(narrow: Narrow, message: Message): boolean {
  if ('text' in narrow) return false;
  if ('flag' in narrow) return message.flags.includes(narrow.flag);
  const place = placeOf(message);
  if ('feed' in narrow) return !isMutedPlace(place);
  if ('userIds' in narrow) return 'userIds' in place && place.userIds.join() === narrow.userIds.join();
  if ('userIds' in place || place.channelId !== narrow.channelId) return false;
  return (
    !('topic' in narrow) ||
    topicKey(place.channelId, place.topic) === topicKey(narrow.channelId, narrow.topic)
  );
}

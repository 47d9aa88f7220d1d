import { computed } from '@preact/signals';
import { placeKey } from '../connection/place';
import { unread } from '../connection/state';
import * as words from '../words';
import { isMutedTopic } from './places';

/** Keys of all places, of all channels, and of all direct conversations. */
export const EVERYWHERE = '';
export const IN_CHANNELS = 'channels';
export const IN_DIRECT = 'direct';

/** Unread counts by place; counts of channels and totals exclude muted topics. */
const counts = computed(() => {
  const found = new Map<string, number>();
  const add = (key: string) => found.set(key, (found.get(key) ?? 0) + 1);
  for (const place of unread.value.values()) {
    add(placeKey(place));
    if ('channelId' in place) {
      if (isMutedTopic(place.channelId, place.topic)) continue;
      add(`c${place.channelId}`);
    }
    add('channelId' in place ? IN_CHANNELS : IN_DIRECT);
    add(EVERYWHERE);
  }
  return found;
});

/** Number of unread messages in a place. */
export function unreadIn(key: string): number {
  return counts.value.get(key) ?? 0;
}

interface CountProperties {
  readonly of: number;
  /** What is counted, unless the adjacent text already says so. */
  readonly what?: string;
}

/** A count of unread messages or other things; nothing for zero. */
export function Count({ of: count, what = words.conversations.unread }: CountProperties) {
  if (count === 0) return null;
  return (
    <span class="count">
      {count}
      {what && <span class="unseen"> {what}</span>}
    </span>
  );
}

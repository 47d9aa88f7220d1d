import type { Place } from '../connection/place';
import { channels, myId } from '../connection/state';

/** As clients write texts in addresses of messages. */
const hidden = (text: string) =>
  encodeURIComponent(text)
    .replace(/[.()!~*']/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');

/** The address of a conversation, or of a message in it, which every client can open. */
export function linkTo(place: Place | { readonly channelId: number }, messageId?: number): string {
  const near = messageId === undefined ? '' : `/near/${messageId}`;
  if ('userIds' in place) {
    const people = [...place.userIds, myId.value].join();
    return `${location.origin}/#narrow/dm/${people}${near}`;
  }
  const name = hidden((channels.value.get(place.channelId)?.name ?? '').replaceAll(' ', '-'));
  const topic = 'topic' in place ? `/topic/${hidden(place.topic)}` : '';
  return `${location.origin}/#narrow/channel/${place.channelId}-${name}${topic}${near}`;
}

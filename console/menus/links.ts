import type { Place } from '../connection/place';
import { channels, myId } from '../connection/state';

/** Encodes text as other clients do in URLs of messages. */
const hidden = (text: string) =>
  encodeURIComponent(text)
    .replace(/[.()!~*']/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');

/** URL of a conversation, or of a message in it, in the format of all clients. */
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

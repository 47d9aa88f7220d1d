import { createHash } from 'node:crypto';
import { readHtml } from '../messages/messages.module';
import { MAX_PUSH_BYTES } from './encrypt-push';

/** What a browser gets. Its service worker turns it into a notification, in the words of the console. */
export type PushPayload = MessagePayload | { readonly kind: 'test' };

/** A message to be notified of. */
export interface MessagePayload {
  readonly kind: 'message';
  readonly messageId: number;
  /** UNIX seconds. */
  readonly sentAt: number;
  /** Name of the sender. */
  readonly sender: string;
  /** Names the conversation: a notification replaces the one before it. */
  readonly tag: string;
  /** `#channel › topic`; null for a direct message. */
  readonly placeName: string | null;
  /** The beginning of the text; null where it must not be shown. */
  readonly text: string | null;
  /** Opens the message: a path of this server. */
  readonly path: string;
}

/** A conversation. */
type PushPlace =
  | { readonly channelId: number; readonly topic: string }
  /** Its users without the receiver. */
  | { readonly userIds: readonly number[] };

const SHOWN_CHARACTERS = 200;
const MAX_TAG = 200;

/** The tag of a conversation: that of the notifications of pages, so that a page and a worker never show two. */
export function pushTag(place: PushPlace): string {
  const tag =
    'userIds' in place ? `d${place.userIds.join()}` : `c${place.channelId} ${place.topic.toLowerCase()}`;
  return tag.length <= MAX_TAG ? tag : createHash('sha256').update(tag).digest('base64url');
}

const DIVISION = /<div\b[^>]*>|<\/div>/g;
const HIDDEN = '<div class="spoiler-content"';

/** What a reader sees of a message before they open its spoilers. */
export function visibleText(html: string): string {
  let shown = '';
  let end = 0;
  let depth = 0;
  for (const { 0: tag, index } of html.matchAll(DIVISION)) {
    if (depth > 0) {
      depth += tag === '</div>' ? -1 : 1;
      if (depth === 0) end = index;
    } else if (tag.startsWith(HIDDEN)) {
      shown += `${html.slice(end, index)}<p>(…)</p>`;
      depth = 1;
    }
  }
  // What is hidden goes on to the end if nothing closes it.
  return readHtml(depth > 0 ? shown : shown + html.slice(end)).text;
}

/** The beginning of a text, in one line. */
export function shortened(text: string): string {
  const line = text
    .slice(0, 20 * SHOWN_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length <= SHOWN_CHARACTERS
    ? line
    : `${characters.slice(0, SHOWN_CHARACTERS - 1).join('')}…`;
}

/** The payload as bytes; what would not fit into a push message is left out. */
export function pushBytes(payload: PushPayload): Buffer {
  const shorter: Partial<MessagePayload>[] = [{}, { path: '/' }, { path: '/', text: null, placeName: null }];
  const forms = shorter.map((change) => Buffer.from(JSON.stringify({ ...payload, ...change })));
  return forms.find(({ length }) => length <= MAX_PUSH_BYTES) ?? forms.at(-1)!;
}

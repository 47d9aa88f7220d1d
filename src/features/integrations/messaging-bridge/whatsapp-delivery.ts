import { MAX_NAME_LENGTH, NAME } from './messaging.api';
import { MessageSource, type OutsideMessage, readTime, textOf } from './outside-message';
import { UnprocessableEntity } from '../../../platform/errors/companion.errors';
import { isObject } from '../../../platform/collections';

/** The text of a WhatsApp message. Other types appear as a name in brackets, followed by the caption. */
function whatsappText(message: Readonly<Record<string, unknown>>): string {
  const type = textOf(message['type'])?.slice(0, 40) ?? 'unknown';
  const content = isObject(message[type]) ? message[type] : {};
  const words = wordsOf(type, content, message[type]);
  if (BARE.includes(type) && words !== null) return words;
  return words === null ? `[${type}]` : `[${type}] ${words}`;
}

/** Types that consist of text only. */
const BARE = ['text', 'button', 'interactive'];

function wordsOf(type: string, content: Readonly<Record<string, unknown>>, raw: unknown): string | null {
  switch (type) {
    case 'text':
      return textOf(content['body']);
    case 'button':
      return textOf(content['text']);
    case 'interactive':
      return titleOf(content['button_reply']) ?? titleOf(content['list_reply']);
    case 'reaction':
      return textOf(content['emoji']);
    case 'location':
      return placeOf(content);
    case 'contacts':
      return mentionedNames(raw);
    default:
      return joined([textOf(content['filename']), textOf(content['caption'])], ': ');
  }
}

function titleOf(reply: unknown): string | null {
  return isObject(reply) ? textOf(reply['title']) : null;
}

function placeOf({ name, address, latitude, longitude }: Readonly<Record<string, unknown>>): string | null {
  const isPoint = typeof latitude === 'number' && typeof longitude === 'number';
  return joined([textOf(name), textOf(address), isPoint ? `${latitude}, ${longitude}` : null], ', ');
}

function mentionedNames(contacts: unknown): string | null {
  if (!Array.isArray(contacts)) return null;
  const names = contacts.map((contact: unknown) => {
    const name = isObject(contact) ? contact['name'] : null;
    return isObject(name) ? textOf(name['formatted_name']) : null;
  });
  return joined(names, ', ');
}

function joined(parts: readonly (string | null)[], separator: string): string | null {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.join(separator);
}

type Place = readonly (string | number)[];
type Json = Readonly<Record<string, unknown>>;

/** More than any provider sends in one delivery. */
const MAX_MESSAGES = 1_000;

/** Whether a delivery has the format of WhatsApp's Cloud API. */
export function isWhatsappDelivery(body: Json): boolean {
  return Object.hasOwn(body, 'entry') || Object.hasOwn(body, 'object');
}

/**
 * The messages of a delivery. Reads only the necessary parts, because the format evolves, and ignores entries that are
 * not messages, such as read receipts.
 * @throws UnprocessableEntity
 */
export function whatsappMessages(body: Json): OutsideMessage[] {
  if ((body['object'] ?? 'whatsapp_business_account') !== 'whatsapp_business_account') {
    throw refused(['object'], 'object must be "whatsapp_business_account"', 'enum');
  }
  const messages: OutsideMessage[] = [];
  for (const [entry, entryAt] of records(body, 'entry', [])) {
    for (const [change, changeAt] of records(entry, 'changes', entryAt)) {
      if ((change['field'] ?? 'messages') !== 'messages') continue;
      const valueAt = [...changeAt, 'value'];
      const value = change['value'];
      if (!isObject(value)) throw refused(valueAt, 'value must be an object', 'dict_type');
      messages.push(...messagesOf(value, valueAt));
    }
  }
  if (messages.length > MAX_MESSAGES) {
    throw refused(['entry'], `a delivery holds at most ${MAX_MESSAGES} messages`, 'too_long');
  }
  return messages;
}

function messagesOf(value: Json, at: Place): OutsideMessage[] {
  if (value['messages'] === undefined) return [];
  const names = namesOf(value['contacts']);
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const via = textOf(metadata['phone_number_id'])?.slice(0, MAX_NAME_LENGTH) ?? null;
  return records(value, 'messages', at).map(([message, messageAt]) => {
    const address = nameAt(message, 'from', messageAt);
    return {
      sender: { source: MessageSource.whatsapp, address, name: names.get(address) ?? null, via },
      externalId: nameAt(message, 'id', messageAt),
      text: whatsappText(message),
      writtenAt: timeAt(message, messageAt),
    };
  });
}

/** Names of senders by number. */
function namesOf(contacts: unknown): Map<string, string> {
  const names = new Map<string, string>();
  for (const contact of Array.isArray(contacts) ? (contacts as unknown[]) : []) {
    if (!isObject(contact) || !isObject(contact['profile'])) continue;
    const number = textOf(contact['wa_id']);
    const name = textOf(contact['profile']['name']);
    if (number !== null && name !== null) names.set(number, name);
  }
  return names;
}

/** The objects in a list, each with its path. */
function records(holder: Json, key: string, at: Place): [Json, Place][] {
  const list = holder[key];
  if (!Array.isArray(list)) throw refused([...at, key], `${key} must be a list`, 'list_type');
  return list.map((each: unknown, index): [Json, Place] => {
    const place = [...at, key, index];
    if (!isObject(each)) throw refused(place, `${key} must hold objects`, 'dict_type');
    return [each, place];
  });
}

function nameAt(message: Json, key: string, at: Place): string {
  const value = message[key];
  if (typeof value === 'string' && value.length <= MAX_NAME_LENGTH && NAME.test(value)) return value;
  throw refused([...at, key], `${key} must be a text of 1 to ${MAX_NAME_LENGTH} characters`, 'string_type');
}

function timeAt(message: Json, at: Place): number {
  const time = readTime(message['timestamp']);
  if (time !== undefined) return time;
  throw refused([...at, 'timestamp'], 'timestamp must be a time', 'value_error');
}

function refused(at: Place, msg: string, type: string): UnprocessableEntity {
  return UnprocessableEntity.at(['body', ...at], msg, type);
}

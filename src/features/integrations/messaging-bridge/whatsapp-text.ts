import { isRecord, textOf } from './delivered-values';

/** The text of a WhatsApp message. Anything but text is named in brackets, followed by its caption. */
export function whatsappText(message: Readonly<Record<string, unknown>>): string {
  const type = textOf(message['type'])?.slice(0, 40) ?? 'unknown';
  const content = isRecord(message[type]) ? message[type] : {};
  const words = wordsOf(type, content, message[type]);
  if (BARE.includes(type) && words !== null) return words;
  return words === null ? `[${type}]` : `[${type}] ${words}`;
}

/** Kinds that consist of words only. */
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
      return namesOf(raw);
    default:
      return joined([textOf(content['filename']), textOf(content['caption'])], ': ');
  }
}

function titleOf(reply: unknown): string | null {
  return isRecord(reply) ? textOf(reply['title']) : null;
}

function placeOf({ name, address, latitude, longitude }: Readonly<Record<string, unknown>>): string | null {
  const isPoint = typeof latitude === 'number' && typeof longitude === 'number';
  return joined([textOf(name), textOf(address), isPoint ? `${latitude}, ${longitude}` : null], ', ');
}

function namesOf(contacts: unknown): string | null {
  if (!Array.isArray(contacts)) return null;
  const names = contacts.map((contact: unknown) => {
    const name = isRecord(contact) ? contact['name'] : null;
    return isRecord(name) ? textOf(name['formatted_name']) : null;
  });
  return joined(names, ', ');
}

function joined(parts: readonly (string | null)[], separator: string): string | null {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.join(separator);
}

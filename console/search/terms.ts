import type { Place } from '../connection/place';
import { othersOf } from '../connection/place';
import { channels, myId, people } from '../connection/state';
import { hrefOf } from '../conversations/places';
import { ROOT } from '../router';

/** A condition in terms of the API. */
export interface Term {
  readonly operator: string;
  readonly operand: unknown;
  readonly negated?: boolean;
}

/** Operators in search texts, and their names in the API. */
export const OPERATORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    channel: 'channel',
    stream: 'channel',
    channels: 'channels',
    topic: 'topic',
    sender: 'sender',
    from: 'sender',
    dm: 'dm',
    'dm-including': 'dm-including',
    mentions: 'mentions',
    is: 'is',
    has: 'has',
    in: 'in',
    near: 'near',
    id: 'id',
  }),
);

const PART = /(-?)([a-z-]+):("[^"]*"?|\S+)|"[^"]*"|\S+/g;

/** Removes quotes; other clients write a space as a plus sign. */
const plain = (operand: string) =>
  operand.startsWith('"') ? operand.replaceAll('"', '') : operand.replaceAll('+', ' ');

/** Finds a person by name, address, ID, or name and ID; returns the text if there is no such person. */
function personOf(text: string): number | string {
  const wanted = text.trim().toLowerCase();
  if (wanted === 'me') return myId.value;
  const id = Number(/(?:^|\|)(\d+)$/.exec(wanted)?.[1]);
  if (people.value.has(id)) return id;
  const found = [...people.value.values()].find(
    ({ full_name, email, delivery_email }) =>
      full_name.toLowerCase() === wanted || email.toLowerCase() === wanted || delivery_email === wanted,
  );
  return found?.user_id ?? text.trim();
}

function operandOf(operator: string, text: string): unknown {
  switch (operator) {
    case 'channel': {
      const wanted = text.toLowerCase();
      const found = [...channels.value.values()].find(({ name }) => name.toLowerCase() === wanted);
      return found?.stream_id ?? text;
    }
    case 'sender':
    case 'mentions':
      return personOf(text);
    case 'dm':
    case 'dm-including': {
      const all = text.split(',').map(personOf);
      return all.every((each) => typeof each === 'number') ? all : text;
    }
    default:
      return text;
  }
}

/** Parses a search into conditions and keywords. */
export function termsOfText(text: string): Term[] {
  const terms: Term[] = [];
  const words: string[] = [];
  for (const [whole, sign, name, operand] of text.matchAll(PART)) {
    const operator = name === undefined ? undefined : OPERATORS.get(name);
    if (operator === undefined) words.push(whole);
    else
      terms.push({
        operator,
        operand: operandOf(operator, plain(operand!)),
        ...(sign === '-' && { negated: true }),
      });
  }
  return words.length > 0 ? [...terms, { operator: 'search', operand: words.join(' ') }] : terms;
}

/** ID of the message that a search starts at. */
export function nearIn(text: string): number | null {
  return Number(termsOfText(text).find(({ operator }) => operator === 'near')?.operand) || null;
}

/** The conversation or channel, if the query asks for nothing else; it has its own page. */
function placeIn(text: string): Place | { readonly channelId: number } | null {
  const terms = termsOfText(text).filter(({ operator }) => operator !== 'near');
  const of = (name: string) => terms.find(({ operator, negated }) => operator === name && !negated)?.operand;
  const [channelId, topic, dm] = [of('channel'), of('topic'), of('dm')];
  if (terms.length === 1 && Array.isArray(dm)) return { userIds: othersOf(dm as number[], myId.value) };
  if (typeof channelId !== 'number') return null;
  if (terms.length === 1) return { channelId };
  return terms.length === 2 && typeof topic === 'string' ? { channelId, topic } : null;
}

/** URL of a search: the page of a conversation if it asks for nothing else, otherwise the search results. */
export function hrefOfSearch(text: string): string {
  const place = placeIn(text);
  if (place) return hrefOf(place, nearIn(text) ?? undefined);
  return `${ROOT}/search?q=${encodeURIComponent(text)}`;
}

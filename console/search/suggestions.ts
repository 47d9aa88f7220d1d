import { channels, myId, people } from '../connection/state';
import { channelName } from '../conversations/places';
import { loadTopics, topicsOf } from '../conversations/topics';
import type { Offer } from '../parts/suggested-field';
import { decoded, matchPath, path, ROOT } from '../router';
import { fitting } from './fitting';
import { OPERATORS, termsOfText } from './terms';
import * as words from './words';

/** A completion, and the whole text with it. */
export interface Completion extends Offer {
  readonly text: string;
}

const SHOWN = 10;

/** Matches the text at the caret: an operator, or the beginning of its operand. */
const BEGUN = /(?:^|\s)(-?)(?:([a-z-]+):)?("[^"]*|[^\s"]*)$/;

const held = (text: string) => (/^[\w.@-]+$/.test(text) ? text : `"${text.replaceAll('"', '')}"`);

type Value = readonly [value: string, about: string | undefined];

const VALUE = {
  nameOf: ([value]: Value) => value,
  alsoOf: ([, about]: Value) => about,
};

const { compare } = new Intl.Collator();

/** Matching channels; subscribed ones come first. */
function channelValues(text: string): Value[] {
  const found = fitting(channels.value.values(), text, SHOWN, {
    nameOf: ({ name }) => name,
    order: (one, other) =>
      Number(other.isSubscribed) - Number(one.isSubscribed) || compare(one.name, other.name),
  });
  return found.map(({ name }) => [name, undefined]);
}

/** Topics of the channel in the search, or of the open one. */
function topicValues(text: string): Value[] {
  const named = termsOfText(text).find(({ operator }) => operator === 'channel')?.operand;
  const open = matchPath(`${ROOT}/channels/:channel`, path.value.split('/').slice(0, 4).join('/'));
  const channelId = typeof named === 'number' ? named : Number(open?.['channel']);
  if (!channels.value.has(channelId)) return [];
  void loadTopics(channelId);
  const all = topicsOf.value.get(channelId) ?? [];
  return all.filter(({ name }) => name !== '').map(({ name }) => [name, `#${channelName(channelId)}`]);
}

function peopleValues(text: string): Value[] {
  const all = [...people.value.values()].filter((person) => person.is_active);
  const counts = new Map<string, number>();
  for (const { full_name: name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);
  const named = all.map(({ full_name: name, user_id: id, delivery_email: email }): Value => {
    const isMe = id === myId.value;
    return [
      isMe ? 'me' : counts.get(name)! > 1 ? `${name}|${id}` : name,
      isMe ? words.me : (email ?? undefined),
    ];
  });
  return fitting(named, text, SHOWN, { ...VALUE, order: ([one], [other]) => compare(one, other) });
}

/**
 * Possible operands of an operator.
 * @param begun the beginning of the operand
 * @param text the whole search
 */
function valuesOf(operator: string, begun: string, text: string): Value[] {
  switch (operator) {
    case 'channel':
      return channelValues(begun);
    case 'topic':
      return fitting(topicValues(text), begun, SHOWN, VALUE);
    case 'sender':
    case 'mentions':
    case 'dm':
    case 'dm-including':
      return peopleValues(begun);
    default:
      return fitting(Object.entries(words.values[operator] ?? {}), begun, SHOWN, VALUE);
  }
}

/** A search within the open conversation. */
function here(): string | null {
  const [, , kind, id, isTopic, topic] = path.value.split('/');
  const channel = kind === 'channels' ? channels.value.get(Number(id)) : undefined;
  if (channel) {
    const name = isTopic === 'topic' && topic ? decoded(topic) : '';
    return `channel:${held(channel.name)} ${name === '' ? '' : `topic:${held(name)} `}`;
  }
  return kind === 'direct' && id ? `dm:${id} ` : null;
}

/** Completions at the caret. */
export function completionsFor(text: string, caret: number): Completion[] {
  const before = text.slice(0, caret);
  const [, sign = '', name, begun = ''] = BEGUN.exec(before) ?? [];
  const operator = name === undefined ? undefined : OPERATORS.get(name);
  const start = before.slice(0, before.length - begun.length);
  const after = text.slice(caret).trimStart();
  if (operator !== undefined) {
    const written = begun.replace(/^"/, '');
    // A complete operand needs no suggestion.
    return valuesOf(operator, written, text)
      .filter(([value]) => value !== begun)
      .map(([value, about]) => ({
        label: `${name}:${value}`,
        about,
        text: `${start}${held(value)} ${after}`,
      }));
  }
  if (name !== undefined || begun.startsWith('"')) return [];
  const offers = Object.entries(words.operators)
    .filter(([each]) => each.startsWith(begun.replace(/^-/, '')))
    .map(([each, about]) => ({
      label: `${sign}${each}:`,
      about: sign ? words.except(about) : about,
      text: `${start.replace(/-$/, '')}${sign}${each}:${after}`,
    }));
  const place = text.trim() === '' ? here() : null;
  return place ? [{ label: words.here, about: place.trim(), text: place }, ...offers] : offers;
}

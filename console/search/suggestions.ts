import { channels, myId, people } from '../connection/state';
import { channelName } from '../conversations/places';
import { loadTopics, topicsOf } from '../conversations/topics';
import type { Offer } from '../parts/suggested-field';
import { matchPath, path, ROOT } from '../router';
import { OPERATORS, termsOfText } from './terms';
import * as words from './words';

/** What may be meant, and the whole text with it. */
export interface Completion extends Offer {
  readonly text: string;
}

const SHOWN = 10;

/** What is being written at the caret: an operator, or the beginning of what it is applied to. */
const BEGUN = /(?:^|\s)(-?)(?:([a-z-]+):)?("[^"]*|[^\s"]*)$/;

const held = (text: string) => (/^[\w.@-]+$/.test(text) ? text : `"${text.replaceAll('"', '')}"`);

type Value = readonly [value: string, about: string | undefined];

/** Those first that begin with the text. */
function fitting(all: readonly Value[], text: string): Value[] {
  const wanted = text.toLowerCase();
  const rank = ([value, about]: Value) => {
    const at = value.toLowerCase().indexOf(wanted);
    return at >= 0 ? Math.min(at, 1) : about?.toLowerCase().startsWith(wanted) ? 2 : -1;
  };
  const found = all.filter((each) => rank(each) >= 0);
  return found.sort((one, other) => rank(one) - rank(other)).slice(0, SHOWN);
}

function channelValues(): Value[] {
  const all = [...channels.value.values()].sort((one, other) => one.name.localeCompare(other.name));
  const isOwn = ({ isSubscribed }: { readonly isSubscribed: boolean }) => isSubscribed;
  return [...all.filter(isOwn), ...all.filter((each) => !isOwn(each))].map(({ name }) => [name, undefined]);
}

/** Topics of the channel that the search names, or of the one that is open. */
function topicValues(text: string): Value[] {
  const named = termsOfText(text).find(({ operator }) => operator === 'channel')?.operand;
  const open = matchPath(`${ROOT}/channels/:channel`, path.value.split('/').slice(0, 4).join('/'));
  const channelId = typeof named === 'number' ? named : Number(open?.['channel']);
  if (!channels.value.has(channelId)) return [];
  void loadTopics(channelId);
  const all = topicsOf.value.get(channelId) ?? [];
  return all.filter(({ name }) => name !== '').map(({ name }) => [name, `#${channelName(channelId)}`]);
}

function peopleValues(): Value[] {
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
  return named.sort(([one], [other]) => one.localeCompare(other));
}

/** What an operator may be applied to. */
function valuesOf(operator: string, text: string): Value[] {
  switch (operator) {
    case 'channel':
      return channelValues();
    case 'topic':
      return topicValues(text);
    case 'sender':
    case 'mentions':
    case 'dm':
    case 'dm-including':
      return peopleValues();
    default:
      return Object.entries(words.values[operator] ?? {});
  }
}

/** The search for the conversation that is open. */
function here(): string | null {
  const [, , kind, id, isTopic, topic] = path.value.split('/');
  const channel = kind === 'channels' ? channels.value.get(Number(id)) : undefined;
  if (channel) {
    const name = isTopic === 'topic' && topic ? decodeURIComponent(topic) : '';
    return `channel:${held(channel.name)} ${name === '' ? '' : `topic:${held(name)} `}`;
  }
  return kind === 'direct' && id ? `dm:${id} ` : null;
}

/** How the text may go on where the caret is. */
export function completionsFor(text: string, caret: number): Completion[] {
  const before = text.slice(0, caret);
  const [, sign = '', name, begun = ''] = BEGUN.exec(before) ?? [];
  const operator = name === undefined ? undefined : OPERATORS[name];
  const start = before.slice(0, before.length - begun.length);
  const after = text.slice(caret).trimStart();
  if (operator !== undefined) {
    const written = begun.replace(/^"/, '');
    // Where it stands as it would be completed, there is nothing to offer.
    return fitting(valuesOf(operator, text), written)
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

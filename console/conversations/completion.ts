import { groups, people } from '../connection/state';
import { charactersOf, findEmoji } from '../parts/emoji';
import * as words from '../words';

/** A possible completion. */
export interface Suggestion {
  readonly label: string;
  /** Additional text next to the label. */
  readonly about?: string;
  /** The inserted text. */
  readonly text: string;
}

/** The text being completed, and where it begins. */
export interface Begun {
  readonly start: number;
  readonly kind: '@' | ':' | '/';
  readonly text: string;
}

const LIMIT = 8;

/** The text before the caret, if it can be completed. @param hasCommands whether texts may begin with a command */
export function begunAt(text: string, caret: number, hasCommands = false): Begun | null {
  const command = hasCommands ? /^\/([a-z]*)$/.exec(text.slice(0, caret)) : null;
  if (command) return { start: 0, kind: '/', text: command[1]! };
  const match = /(?:^|[\s(])([@:])([^\s@:*`][^@:*`\n]{0,30})?$/.exec(text.slice(0, caret));
  if (!match) return null;
  const [, kind, begun = ''] = match as unknown as [string, '@' | ':', string | undefined];
  const isTooShort = kind === ':' && (begun.length < 2 || begun.includes(' '));
  return isTooShort ? null : { start: caret - begun.length - 1, kind, text: begun };
}

const WILDCARDS = ['all', 'topic'];

const { compare } = new Intl.Collator();

/** The first items in alphabetical order; sorting many thousands would take too long per key press. */
function firstOf<T>(all: Iterable<T>, nameOf: (each: T) => string): T[] {
  const first: T[] = [];
  for (const each of all) {
    let at = first.length;
    while (at > 0 && compare(nameOf(each), nameOf(first[at - 1]!)) < 0) at--;
    if (at < LIMIT) first.splice(at, 0, each);
    if (first.length > LIMIT) first.pop();
  }
  return first;
}

function mentionsOf(text: string): Suggestion[] {
  const wanted = ` ${text.toLowerCase()}`;
  const fits = (name: string) => ` ${name.toLowerCase()}`.includes(wanted);
  const active = [...people.value.values()].filter((person) => person.is_active);
  const persons = firstOf(
    active.filter(({ full_name }) => fits(full_name)),
    ({ full_name }) => full_name,
  ).map(({ full_name, user_id, delivery_email, is_bot }): Suggestion => {
    const isCommon = active.some((other) => other.full_name === full_name && other.user_id !== user_id);
    return {
      label: full_name,
      about: is_bot ? words.people.bot : (delivery_email ?? ''),
      text: isCommon ? `@**${full_name}|${user_id}** ` : `@**${full_name}** `,
    };
  });
  const named = [...groups.value.values()]
    .filter((group) => !group.is_system_group && !group.deactivated && fits(group.name))
    .map(({ name, description }): Suggestion => ({ label: name, about: description, text: `@*${name}* ` }));
  const everybody = WILDCARDS.filter(fits).map((name): Suggestion => ({
    label: name,
    about: words.conversations.wildcards[name as 'all' | 'topic'],
    text: `@**${name}** `,
  }));
  return [...firstOf([...persons, ...named], ({ label }) => label), ...everybody].slice(0, LIMIT);
}

/** Possible completions of a text. */
export function suggestionsFor({ kind, text }: Begun): Suggestion[] {
  if (kind === '@') return mentionsOf(text);
  if (kind === '/') {
    return Object.entries(words.conversations.commands)
      .filter(([name]) => name.startsWith(text))
      .map(([name, about]) => ({ label: `/${name}`, about, text: `/${name} ` }));
  }
  return findEmoji(text, LIMIT).map(({ emoji_name, emoji_code, reaction_type }) => ({
    label: `${reaction_type === 'unicode_emoji' ? charactersOf(emoji_code) : ''} ${emoji_name}`.trim(),
    text: `:${emoji_name}: `,
  }));
}

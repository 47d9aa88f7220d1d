import { computed, signal } from '@preact/signals';
import { emoji as customEmoji, organizationText } from '../connection/state';
import type { Reaction } from '../connection/records';

/** The fields that identify an emoji in a reaction. */
export type EmojiId = Pick<Reaction, 'emoji_name' | 'emoji_code' | 'reaction_type'>;

/** All names of Unicode emoji by code, once loaded; primary names come first. */
export const namesByCode = signal<ReadonlyMap<string, readonly string[]>>(new Map());
const codes = computed(
  () => new Map([...namesByCode.value].flatMap(([code, all]) => all.map((name) => [name, code] as const))),
);
let asked: Promise<void> | null = null;

/** Loads the names of all emoji once. They are some 60 KiB, which most visits do not need. */
export function loadEmoji(): Promise<void> {
  asked ??= (async () => {
    const { pathname, search } = new URL(organizationText('server_emoji_data_url'), location.origin);
    const answer = await fetch(pathname + search);
    const { code_to_names: names } = (await answer.json()) as { code_to_names: Record<string, string[]> };
    namesByCode.value = new Map(Object.entries(names));
  })().catch(() => void (asked = null));
  return asked;
}

/** Finds emoji by name: exact matches first, then prefixes. Custom emoji precede others of the same rank. */
export function findEmoji(text: string, limit: number): EmojiId[] {
  const wanted = text.toLowerCase().replaceAll(' ', '_');
  const own = Object.values(customEmoji.value)
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name }): EmojiId => ({ emoji_name: name, emoji_code: id, reaction_type: 'realm_emoji' }));
  const names = new Set(own.map(({ emoji_name }) => emoji_name));
  const others = [...codes.value]
    .filter(([name]) => !names.has(name))
    .map(([emoji_name, emoji_code]): EmojiId => ({ emoji_name, emoji_code, reaction_type: 'unicode_emoji' }));
  const found = [...own, ...others].filter(({ emoji_name }) => emoji_name.includes(wanted));
  const rank = ({ emoji_name: name }: EmojiId) => (name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2);
  return found.sort((one, other) => rank(one) - rank(other)).slice(0, limit);
}

/** The characters of a code such as `1f1e9-1f1ea`. */
export function charactersOf(code: string): string {
  const points = code.split('-').map((part) => parseInt(part, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : '';
}

/** An emoji, hidden from screen readers because its context names it. */
export function Emoji({ id }: { readonly id: EmojiId }) {
  const own = customEmoji.value[id.emoji_code];
  if (id.reaction_type === 'unicode_emoji')
    return <span aria-hidden="true">{charactersOf(id.emoji_code)}</span>;
  return own ? (
    <img class="emoji" src={own.source_url} alt="" />
  ) : (
    <span aria-hidden="true">:{id.emoji_name}:</span>
  );
}

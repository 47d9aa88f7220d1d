import { people, statuses } from '../connection/state';
import type { Person } from '../connection/records';
import * as words from '../words';
import { Emoji, type EmojiId } from './emoji';

/** At most two initials. */
function initials(name: string): string {
  const parts = name.split(/\s+/).filter(Boolean);
  const [first = '?'] = parts;
  const last = parts.length > 1 ? parts.at(-1)! : '';
  return ([...first][0]! + ([...last][0] ?? '')).toUpperCase();
}

/** The picture, if it is on this server: the content security policy blocks others. */
function ownPicture(person: Person | undefined): string | null {
  const url = person?.avatar_url;
  if (!url) return null;
  const { origin, pathname, search } = new URL(url, location.origin);
  return origin === location.origin || url.startsWith('/') ? pathname + search : null;
}

/** A user's picture or initials; hidden from screen readers because the name is next to it. */
export function Avatar({ userId }: { readonly userId: number }) {
  const person = people.value.get(userId);
  const picture = ownPicture(person);
  return picture ? (
    <img class="avatar" src={picture} alt="" loading="lazy" />
  ) : (
    <span class={`avatar hue-${userId % 8}`} aria-hidden="true">
      {initials(person?.full_name ?? '?')}
    </span>
  );
}

/** Badges next to a name: bot, guest or deactivated. */
export function Badges({ person }: { readonly person: Person }) {
  const badge = person.is_bot
    ? words.people.bot
    : person.is_active === false
      ? words.people.deactivated
      : person.is_guest
        ? words.people.guest
        : null;
  return badge && <span class="badge">{badge}</span>;
}

/** A user's status; null if they have none. */
export function statusOf(userId: number): { readonly text: string; readonly emoji: EmojiId | null } | null {
  const status = statuses.value.get(userId);
  if (!status) return null;
  const { status_text: text = '', emoji_name, emoji_code, reaction_type } = status;
  const emoji = emoji_name && emoji_code && reaction_type ? { emoji_name, emoji_code, reaction_type } : null;
  return { text, emoji };
}

/** The emoji of a user's status; the text is its label. */
export function StatusEmoji({ userId }: { readonly userId: number }) {
  const status = statusOf(userId);
  if (!status?.emoji) return null;
  const text = status.text || status.emoji.emoji_name.replaceAll('_', ' ');
  return (
    <span class="status-emoji" role="img" aria-label={text} title={text}>
      <Emoji id={status.emoji} />
    </span>
  );
}

/** A user in a list. */
export function PersonName({ userId }: { readonly userId: number }) {
  const person = people.value.get(userId);
  return (
    <span class="person">
      <Avatar userId={userId} />
      <span>{person?.full_name ?? `#${userId}`}</span>
      <StatusEmoji userId={userId} />
      {person && <Badges person={person} />}
    </span>
  );
}

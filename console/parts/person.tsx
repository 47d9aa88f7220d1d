import { people } from '../connection/state';
import type { Person } from '../connection/records';
import * as words from '../words';

/** Up to two initials. */
function initials(name: string): string {
  const parts = name.split(/\s+/).filter(Boolean);
  const [first = '?'] = parts;
  const last = parts.length > 1 ? parts.at(-1)! : '';
  return ([...first][0]! + ([...last][0] ?? '')).toUpperCase();
}

/** The picture, if it comes from this server: the policy lets no other one in. */
function ownPicture(person: Person | undefined): string | null {
  const url = person?.avatar_url;
  if (!url) return null;
  const { origin, pathname, search } = new URL(url, location.origin);
  return origin === location.origin || url.startsWith('/') ? pathname + search : null;
}

/** A user's picture or initials; hidden from screen readers, because the name stands beside it. */
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

/** What stands beside a name: that it is a bot, a guest, or gone. */
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

/** A user in a list. */
export function PersonName({ userId }: { readonly userId: number }) {
  const person = people.value.get(userId);
  return (
    <span class="person">
      <Avatar userId={userId} />
      <span>{person?.full_name ?? `#${userId}`}</span>
      {person && <Badges person={person} />}
    </span>
  );
}

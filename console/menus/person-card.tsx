import { presenceOf, seenAt } from '../connection/presence';
import { ROLE } from '../connection/records';
import { isAdministrator, myId, people } from '../connection/state';
import { hrefOf } from '../conversations/places';
import { Popup } from '../parts/menu';
import { Emoji } from '../parts/emoji';
import { Avatar, Badges, statusOf } from '../parts/person';
import { clockIn, shownAge } from '../parts/format';
import { ROOT } from '../router';
import * as common from '../words';
import * as words from './words';

interface PersonCardProperties {
  readonly userId: number;
  readonly anchor: Element;
  readonly onClose: () => void;
}

/** A user's profile, presence and local time. */
export function PersonCard({ userId, anchor, onClose }: PersonCardProperties) {
  const person = people.value.get(userId);
  if (!person) return null;
  const { full_name: name, role, timezone, delivery_email: address, is_bot: isBot } = person;
  const roleName = Object.entries(ROLE).find(([, number]) => number === role)?.[0] as
    keyof typeof ROLE | undefined;
  const presence = presenceOf(userId);
  const status = statusOf(userId);
  const seen = seenAt(userId);
  const time = timezone ? clockIn(timezone) : null;
  return (
    <Popup anchor={anchor} label={words.card.title(name)} role="dialog" onClose={onClose}>
      <div class="card" tabIndex={-1}>
        <Avatar userId={userId} />
        <div>
          <p class="sender">
            {name} <Badges person={person} />
          </p>
          {roleName && <p class="note">{common.people.roles[roleName]}</p>}
        </div>
      </div>
      {status && (
        <p>
          {status.emoji && <Emoji id={status.emoji} />}{' '}
          {status.text || status.emoji?.emoji_name.replaceAll('_', ' ')}
        </p>
      )}
      {!isBot && person.is_active !== false && (
        <p class={`presence ${presence}`}>
          {presence === 'offline' && seen !== null
            ? words.card.lastSeen(shownAge(seen))
            : common.presence[presence]}
        </p>
      )}
      {time && <p class="note">{words.card.localTime(time)}</p>}
      {address && <p class="note">{address}</p>}
      <div class="actions">
        <a class="button" href={hrefOf({ userIds: userId === myId.value ? [] : [userId] })} onClick={onClose}>
          {words.card.direct}
        </a>
        {isAdministrator.value && (
          <a class="button" href={`${ROOT}/people/${userId}`} onClick={onClose}>
            {words.card.manage}
          </a>
        )}
      </div>
    </Popup>
  );
}

import { useState } from 'preact/hooks';
import { placeKey } from '../connection/place';
import { conversations, mentions, reminders, scheduled } from '../connection/state';
import { nameOfPlace } from '../drafts/places';
import { otherDrafts } from '../drafts/sync';
import { ROOT } from '../router';
import { Icon } from '../parts/icon';
import * as words from '../words';
import { ChannelLines, Line } from './channel-lines';
import { draftNames } from './draft';
import { NameFilter, peopleNamed } from './name-filter';
import { hrefOf, namesOf } from './places';
import { filtered } from './replying';
import { EVERYWHERE, unreadIn } from './unread-counts';
import { unsent, type Unsent } from './unsent';

const SHOWN_CONVERSATIONS = 8;
const SHOWN_ON_PAGE = 50;

const isShown = (item: Unsent) => item.isShown;

interface LinesProperties {
  /** Whether the lines have a page of their own, which is not filtered by shortcuts. */
  readonly isPage?: boolean;
}

/** Direct conversations, newest first, or people that match the filter. */
export function DirectLines({ isPage }: LinesProperties) {
  const [person, setPerson] = useState('');
  const isFiltered = isPage === true || filtered.value === 'people';
  const named = isFiltered ? peopleNamed(person) : [];
  const direct = [...conversations.value]
    .sort(([, one], [, other]) => other - one)
    .slice(0, isPage ? SHOWN_ON_PAGE : SHOWN_CONVERSATIONS);
  return (
    <>
      {isFiltered && <NameFilter what="people" text={person} onText={setPerson} first={named[0]?.href} />}
      <ul>
        {named.map(({ href, name }) => (
          <li key={href}>
            <Line href={href} icon="person" text={name} count={0} />
          </li>
        ))}
        {(named.length > 0 ? [] : direct).map(([ids]) => {
          const userIds = ids === '' ? [] : ids.split(',').map(Number);
          return (
            <li key={ids}>
              <Line
                href={hrefOf({ userIds })}
                text={namesOf(userIds)}
                count={unreadIn(placeKey({ userIds }))}
                draft={nameOfPlace({ userIds })}
              />
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Overviews() {
  return (
    <ul>
      <li>
        <Line href={ROOT} icon="inbox" text={words.conversations.inbox} count={unreadIn(EVERYWHERE)} />
      </li>
      <li>
        <Line href={`${ROOT}/recent`} icon="clock" text={words.overviews.recent} count={0} />
      </li>
      <li>
        <Line href={`${ROOT}/feed`} icon="feed" text={words.overviews.feed} count={0} />
      </li>
      <li>
        <Line
          href={`${ROOT}/mentions`}
          icon="at"
          text={words.conversations.mentions}
          count={mentions.value.size}
        />
      </li>
      <li>
        <Line href={`${ROOT}/starred`} icon="star" text={words.conversations.starred} count={0} />
      </li>
      <li>
        <Line
          href={`${ROOT}/drafts`}
          icon="edit"
          text={words.drafts}
          count={draftNames.value.size + otherDrafts.value.length + unsent.value.filter(isShown).length}
          what=""
        />
      </li>
      {scheduled.value.size > 0 && (
        <li>
          <Line
            href={`${ROOT}/scheduled`}
            icon="clock"
            text={words.scheduled}
            count={scheduled.value.size}
            what=""
          />
        </li>
      )}
      {reminders.value.size > 0 && (
        <li>
          <Line
            href={`${ROOT}/reminders`}
            icon="bell"
            text={words.reminders}
            count={reminders.value.size}
            what=""
          />
        </li>
      )}
    </ul>
  );
}

/** The navigation: overviews, channels and direct conversations, with unread counts. */
export function ConversationNavigation() {
  return (
    <>
      <Overviews />
      <h2>
        {words.conversations.channels}
        <a class="button quiet" href={`${ROOT}/channels`} aria-label={words.browsing.title}>
          <Icon name="browse" />
        </a>
      </h2>
      <ChannelLines />
      <h2>
        {words.conversations.direct}
        <a class="button quiet" href={`${ROOT}/direct`} aria-label={words.conversations.newDirect}>
          <Icon name="plus" />
        </a>
      </h2>
      <DirectLines />
    </>
  );
}

import { useState } from 'preact/hooks';
import { placeKey } from '../connection/place';
import { conversations, mentions, reminders, scheduled } from '../connection/state';
import { nameOfPlace } from '../drafts/places';
import { otherDrafts } from '../drafts/sync';
import { ROOT } from '../router';
import { Icon, type IconName } from '../parts/icon';
import * as words from '../words';
import { ChannelLines, Line } from './channel-lines';
import { draftNames } from './draft';
import { NameFilter, peopleNamed } from './name-filter';
import { hrefOf, namesOf } from './places';
import { filtered } from './replying';
import { Section } from './section';
import { EVERYWHERE, IN_CHANNELS, IN_DIRECT, unreadIn } from './unread-counts';
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

/** An overview: its path, icon, name, count, and whether it is listed while empty. */
type Overview = readonly [
  path: string,
  icon: IconName,
  text: string,
  count?: number,
  isAlwaysShown?: boolean,
];

function Overviews() {
  const unread: readonly Overview[] = [
    ['', 'inbox', words.conversations.inbox, unreadIn(EVERYWHERE)],
    ['/recent', 'clock', words.overviews.recent],
    ['/feed', 'feed', words.overviews.feed],
    ['/mentions', 'at', words.conversations.mentions, mentions.value.size],
    ['/starred', 'star', words.conversations.starred],
  ];
  const drafted = draftNames.value.size + otherDrafts.value.length + unsent.value.filter(isShown).length;
  const own: readonly Overview[] = [
    ['/drafts', 'edit', words.drafts, drafted, true],
    ['/scheduled', 'clock', words.scheduled, scheduled.value.size],
    ['/reminders', 'bell', words.reminders, reminders.value.size],
  ];
  return (
    <ul>
      {unread.map(([path, icon, text, count = 0]) => (
        <li key={path}>
          <Line {...{ href: ROOT + path, icon, text, count }} />
        </li>
      ))}
      {own
        .filter(([, , , count = 0, isAlwaysShown]) => isAlwaysShown || count > 0)
        .map(([path, icon, text, count = 0]) => (
          <li key={path}>
            <Line {...{ href: ROOT + path, icon, text, count }} what="" />
          </li>
        ))}
    </ul>
  );
}

/** The navigation: overviews, channels and direct conversations, with unread counts. */
export function ConversationNavigation() {
  return (
    <>
      <Overviews />
      <Section
        name={IN_CHANNELS}
        title={words.conversations.channels}
        isWanted={filtered.value === 'channels'}
        more={
          <a class="button quiet" href={`${ROOT}/channels`} aria-label={words.browsing.title}>
            <Icon name="browse" />
          </a>
        }
      >
        <ChannelLines />
      </Section>
      <Section
        name={IN_DIRECT}
        title={words.conversations.direct}
        isWanted={filtered.value === 'people'}
        more={
          <a class="button quiet" href={`${ROOT}/direct`} aria-label={words.conversations.newDirect}>
            <Icon name="plus" />
          </a>
        }
      >
        <DirectLines />
      </Section>
    </>
  );
}

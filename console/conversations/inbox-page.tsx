import { useEffect } from 'preact/hooks';
import { placeKey, type Place } from '../connection/place';
import { channels, epoch, unread } from '../connection/state';
import { Button } from '../parts/button';
import { ChannelIcon } from '../parts/channel-icon';
import { lazy } from '../parts/lazy';
import { MenuButton } from '../parts/menu';
import { Page } from '../parts/page';
import { textOf } from '../parts/rendered';
import { Problem } from '../parts/problem';
import { attempt, useTask } from '../parts/task';
import { query, setQuery } from '../router';
import * as words from '../words';
import { latest, want } from './latest';
import { Count, unreadIn } from './unread-counts';
import { isNamed, PlaceFilters, PlaceRow } from './place-row';
import { channelName, hrefOf, isFollowedPlace, isMutedPlace } from './places';
import { markAllRead, markNarrowRead } from './reading';

const TopicMenu = lazy(async () => (await import('../menus')).TopicMenu, false);

/** Maximum number of conversations shown; more would not help. */
const SHOWN = 200;

interface UnreadPlace {
  readonly place: Place;
  /** ID of the newest unread message. */
  readonly newest: number;
}

/** Conversations with unread messages, newest first. */
function unreadPlaces(): UnreadPlace[] {
  const byKey = new Map<string, UnreadPlace>();
  for (const [id, place] of unread.value) {
    const key = placeKey(place);
    if (id > (byKey.get(key)?.newest ?? 0)) byKey.set(key, { place, newest: id });
  }
  return [...byKey.values()].sort((one, other) => other.newest - one.newest);
}

function Rows({ rows }: { readonly rows: readonly UnreadPlace[] }) {
  return (
    <ul class="places">
      {rows.map(({ place, newest }) => (
        <PlaceRow key={placeKey(place)} place={place} message={latest.value.get(newest)}>
          <Button
            kind="quiet"
            icon="check"
            label={words.conversations.markRead}
            onClick={() => attempt(markNarrowRead(place))}
          />
          {'channelId' in place && (
            <MenuButton
              label={words.conversations.topicMenu}
              menu={(anchor, onClose) => <TopicMenu {...{ anchor, onClose, ...place }} />}
            />
          )}
        </PlaceRow>
      ))}
    </ul>
  );
}

/** The user's channels, shown when nothing is unread. */
function OwnChannels() {
  const own = [...channels.value.values()].filter((each) => each.isSubscribed && !each.is_archived);
  return (
    <>
      <p class="empty">{words.conversations.nothingNew}</p>
      <ul class="list">
        {own.map((channel) => (
          <li key={channel.stream_id}>
            <a href={hrefOf({ channelId: channel.stream_id })}>
              <span class="name">#{channel.name}</span>
              <span class="name note">{textOf(channel.rendered_description)}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

const FILTERS = ['followed', 'muted'] as const;

/** Unread conversations, newest first: direct messages, and topics by channel. */
export function InboxPage() {
  const task = useTask();
  const all = unreadPlaces();
  const chosen = new Set<string>(FILTERS.filter((name) => query.value.get(name) === 'true'));
  const text = query.value.get('q') ?? '';
  const fitting = all.filter(
    ({ place }) =>
      (chosen.has('muted') || !isMutedPlace(place)) &&
      (!chosen.has('followed') || isFollowedPlace(place)) &&
      isNamed(place, text),
  );
  const rows = fitting.slice(0, SHOWN);
  const direct = rows.filter(({ place }) => 'userIds' in place);
  const channelIds = [
    ...new Set(rows.flatMap(({ place }) => ('channelId' in place ? [place.channelId] : []))),
  ];
  const newest = rows.map(({ newest }) => newest);
  useEffect(() => void want(newest), [newest.join(), epoch.value]);
  const { followed, muted } = words.overviews.filters;
  return (
    <Page
      title={words.conversations.inbox}
      actions={
        unread.value.size > 0 && (
          <Button disabled={task.isBusy} onClick={() => void task.run(markAllRead)}>
            {words.conversations.markAllRead}
          </Button>
        )
      }
    >
      <Problem text={task.error} />
      {all.length > 0 && (
        <PlaceFilters
          text={text}
          onText={(q) => setQuery({ q })}
          filters={{ followed, muted }}
          chosen={chosen}
          onToggle={(name) => setQuery({ [name]: chosen.has(name) ? '' : 'true' })}
        />
      )}
      {direct.length > 0 && (
        <section>
          <h2 class="places-head">{words.conversations.direct}</h2>
          <Rows rows={direct} />
        </section>
      )}
      {channelIds.map((channelId) => (
        <section key={channelId}>
          <h2 class="places-head">
            <a href={hrefOf({ channelId })}>
              <ChannelIcon channel={channels.value.get(channelId)} />
              {channelName(channelId)}
            </a>
            <Count of={unreadIn(`c${channelId}`)} />
          </h2>
          <Rows rows={rows.filter(({ place }) => 'channelId' in place && place.channelId === channelId)} />
        </section>
      ))}
      {fitting.length > SHOWN && <p class="note">{words.more(fitting.length - SHOWN)}</p>}
      {rows.length === 0 &&
        (chosen.size === 0 && text === '' ? <OwnChannels /> : <p class="empty">{words.overviews.noneFit}</p>)}
    </Page>
  );
}

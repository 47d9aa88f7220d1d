import { call } from '../connection/call';
import { placeKey, type Place } from '../connection/place';
import { channels, unread } from '../connection/state';
import { Action } from '../parts/action';
import { Page } from '../parts/page';
import { textOf } from '../parts/rendered';
import * as words from '../words';
import { isMutedTopic, unreadIn } from './navigation';
import { channelName, hrefOf, namesOf, topicName } from './places';

/** Conversations in which something is new, direct ones first. */
function unreadPlaces(): Place[] {
  const byKey = new Map<string, Place>();
  for (const place of unread.value.values()) {
    if ('channelId' in place && isMutedTopic(place.channelId, place.topic)) continue;
    byKey.set(placeKey(place), place);
  }
  return [...byKey.values()];
}

function Lines({
  places,
  nameOf,
}: {
  readonly places: readonly Place[];
  readonly nameOf: (place: Place) => string;
}) {
  return (
    <ul class="list">
      {places.map((place) => (
        <li key={placeKey(place)}>
          <a href={hrefOf(place)}>
            <span class="name">{nameOf(place)}</span>
            <span class="count">
              {unreadIn(placeKey(place))}
              <span class="unseen"> {words.conversations.unread}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Where one begins: what is new, by conversation. */
export function InboxPage() {
  const places = unreadPlaces();
  const direct = places.filter((place) => 'userIds' in place);
  const channelIds = [...new Set(places.flatMap((place) => ('channelId' in place ? [place.channelId] : [])))];
  const own = [...channels.value.values()].filter((each) => each.isSubscribed && !each.is_archived);
  return (
    <Page
      title={words.conversations.inbox}
      actions={
        unread.value.size > 0 && (
          <Action
            label={words.conversations.markAllRead}
            question={words.conversations.markAllAbout}
            run={() => call('POST', 'mark_all_as_read')}
          />
        )
      }
    >
      {direct.length > 0 && (
        <section>
          <h2>{words.conversations.direct}</h2>
          <Lines places={direct} nameOf={(place) => ('userIds' in place ? namesOf(place.userIds) : '')} />
        </section>
      )}
      {channelIds.map((channelId) => (
        <section key={channelId}>
          <h2>
            <a href={hrefOf({ channelId })}>#{channelName(channelId)}</a>
          </h2>
          <Lines
            places={places.filter((place) => 'channelId' in place && place.channelId === channelId)}
            nameOf={(place) => ('topic' in place ? topicName(place.topic) : '')}
          />
        </section>
      ))}
      {places.length === 0 && (
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
      )}
    </Page>
  );
}

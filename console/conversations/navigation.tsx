import { computed } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { placeKey, topicKey } from '../connection/place';
import type { KnownChannel } from '../connection/records';
import { connection } from '../connection/live';
import { channels, conversations, epoch, mentions, reminders, scheduled, unread } from '../connection/state';
import { nameOfPlace } from '../drafts/places';
import { otherDrafts } from '../drafts/sync';
import { path, ROOT } from '../router';
import { ChannelIcon } from '../parts/channel-icon';
import { Icon, type IconName } from '../parts/icon';
import * as words from '../words';
import { draftNames } from './draft';
import { NameFilter, peopleNamed } from './name-filter';
import { hrefOf, isMutedTopic, namesOf, topicName } from './places';
import { filtered } from './replying';
import { unsent, type Unsent } from './unsent';
import { loadTopics, topicsOf } from './topics';

/** Topics below an open channel; the others are on the page of all of them. */
const SHOWN_TOPICS = 8;
const SHOWN_CONVERSATIONS = 8;
/** So many channels are found by looking. */
const FEW = 12;
/** More of them would be in the way of what stands below. */
const MANY = 100;

/** The key of all places together. */
const EVERYWHERE = '';

/** Unread messages by the keys of their places, and by channel and in all what is not muted. */
const counts = computed(() => {
  const found = new Map<string, number>();
  const add = (key: string) => found.set(key, (found.get(key) ?? 0) + 1);
  for (const place of unread.value.values()) {
    add(placeKey(place));
    if ('channelId' in place) {
      if (isMutedTopic(place.channelId, place.topic)) continue;
      add(`c${place.channelId}`);
    }
    add(EVERYWHERE);
  }
  return found;
});

/** How many messages of a place are unread. */
export function unreadIn(key: string): number {
  return counts.value.get(key) ?? 0;
}

interface CountProperties {
  readonly of: number;
  /** What is counted, unless the text beside it says so. */
  readonly what?: string;
}

export function Count({ of: count, what = words.conversations.unread }: CountProperties) {
  if (count === 0) return null;
  return (
    <span class="count">
      {count}
      {what && <span class="unseen"> {what}</span>}
    </span>
  );
}

interface LineProperties {
  readonly href: string;
  readonly icon?: IconName;
  /** Whose icon stands before it, in its color. */
  readonly channel?: KnownChannel;
  readonly text: string;
  readonly count: number;
  readonly what?: string;
  readonly isMuted?: boolean;
  /** Names the draft there, which is marked. */
  readonly draft?: string;
}

function Line({ href, icon, channel, text, count, what, isMuted, draft }: LineProperties) {
  const isHere = decodeURI(href) === decodeURI(path.value);
  return (
    <a href={href} class={isMuted ? 'muted' : undefined} aria-current={isHere ? 'page' : undefined}>
      {icon && <Icon name={icon} />}
      {channel && <ChannelIcon channel={channel} />}
      <span class="name">{text}</span>
      {draft !== undefined && draftNames.value.has(draft) && (
        <span class="sign">
          <Icon name="edit" />
          <span class="unseen"> {words.hasDraft}</span>
        </span>
      )}
      <Count of={count} {...(what !== undefined && { what })} />
    </a>
  );
}

function Topics({ channelId }: { readonly channelId: number }) {
  useEffect(() => void loadTopics(channelId), [channelId, connection.value, epoch.value]);
  const all = topicsOf.value.get(channelId) ?? [];
  const isShown = (name: string, index: number) =>
    index < SHOWN_TOPICS || unreadIn(topicKey(channelId, name)) > 0;
  const shown = all.filter(({ name }, index) => isShown(name, index)).slice(0, 3 * SHOWN_TOPICS);
  return (
    <ul class="topics">
      {shown.map(({ name }) => (
        <li key={name}>
          <Line
            href={hrefOf({ channelId, topic: name })}
            text={topicName(name)}
            count={unreadIn(topicKey(channelId, name))}
            isMuted={isMutedTopic(channelId, name)}
            draft={nameOfPlace({ channelId, topic: name })}
          />
        </li>
      ))}
      {all.length > shown.length && (
        <li>
          <Line
            href={`${hrefOf({ channelId })}/topics`}
            text={words.conversations.allTopics(all.length)}
            count={0}
          />
        </li>
      )}
    </ul>
  );
}

const collator = new Intl.Collator(words.language, { sensitivity: 'base', numeric: true });

/** Pinned ones first, muted ones last. */
function inOrder(one: KnownChannel, other: KnownChannel): number {
  const rank = (channel: KnownChannel) => (channel.pin_to_top ? 0 : channel.is_muted ? 2 : 1);
  return rank(one) - rank(other) || collator.compare(one.name, other.name);
}

/** Where one is, and where something is new, before others. */
function foremost(all: readonly KnownChannel[], open: number): KnownChannel[] {
  const rank = ({ stream_id: id }: KnownChannel) => (id === open ? 2 : Math.min(1, unreadIn(`c${id}`)));
  return [...all]
    .sort((one, other) => rank(other) - rank(one))
    .slice(0, MANY)
    .sort(inOrder);
}

const isShown = (item: Unsent) => item.isShown;

/** Channels and people that one writes with, and how much of it is new. */
export function ConversationNavigation() {
  const [wanted, setWanted] = useState('');
  const [person, setPerson] = useState('');
  const named = filtered.value === 'people' ? peopleNamed(person) : [];
  const openChannel = Number(path.value.split('/')[3] ?? '');
  const isInChannel = path.value.startsWith(`${ROOT}/channels/`);
  const own = [...channels.value.values()]
    .filter(({ isSubscribed, is_archived }) => isSubscribed && !is_archived)
    .sort(inOrder);
  const found = own.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  const shown = found.length > MANY ? foremost(found, openChannel) : found;
  const direct = [...conversations.value]
    .sort(([, one], [, other]) => other - one)
    .slice(0, SHOWN_CONVERSATIONS);
  return (
    <>
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
      <h2>
        {words.conversations.channels}
        <a class="button quiet" href={`${ROOT}/channels`} aria-label={words.browsing.title}>
          <Icon name="browse" />
        </a>
      </h2>
      {(own.length > FEW || filtered.value === 'channels') && (
        <NameFilter
          what="channels"
          text={wanted}
          onText={setWanted}
          first={shown[0] && hrefOf({ channelId: shown[0].stream_id })}
        />
      )}
      <ul>
        {shown.map((channel) => (
          <li key={channel.stream_id}>
            <Line
              href={hrefOf({ channelId: channel.stream_id })}
              channel={channel}
              text={channel.name}
              count={unreadIn(`c${channel.stream_id}`)}
              isMuted={channel.is_muted ?? false}
              draft={nameOfPlace({ channelId: channel.stream_id })}
            />
            {isInChannel && openChannel === channel.stream_id && <Topics channelId={openChannel} />}
          </li>
        ))}
      </ul>
      {found.length > MANY && <p class="note">{words.more(found.length - MANY)}</p>}
      <h2>
        {words.conversations.direct}
        <a class="button quiet" href={`${ROOT}/direct`} aria-label={words.conversations.newDirect}>
          <Icon name="plus" />
        </a>
      </h2>
      {filtered.value === 'people' && (
        <NameFilter what="people" text={person} onText={setPerson} first={named[0]?.href} />
      )}
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

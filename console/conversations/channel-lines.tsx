import { useEffect, useState } from 'preact/hooks';
import { topicKey } from '../connection/place';
import type { KnownChannel } from '../connection/records';
import { connection } from '../connection/live';
import { channels, epoch } from '../connection/state';
import { nameOfPlace } from '../drafts/places';
import { path, ROOT } from '../router';
import { ChannelIcon } from '../parts/channel-icon';
import { Icon, type IconName } from '../parts/icon';
import * as words from '../words';
import { draftNames } from './draft';
import { NameFilter } from './name-filter';
import { hrefOf, isMutedTopic, topicName } from './places';
import { filtered } from './replying';
import { loadTopics, topicsOf } from './topics';
import { Count, unreadIn } from './unread-counts';

/** Maximum number of topics listed below an open channel; its page lists all of them. */
const SHOWN_TOPICS = 8;
/** Up to this number of channels, no filter is needed. */
const FEW = 12;
/** Maximum number of channels, so that the lines below stay reachable. */
const MANY = 100;

interface LineProperties {
  readonly href: string;
  readonly icon?: IconName;
  /** The channel whose icon precedes the text, in its color. */
  readonly channel?: KnownChannel;
  readonly text: string;
  readonly count: number;
  readonly what?: string;
  readonly isMuted?: boolean;
  /** Name of the place's draft, which is marked if it exists. */
  readonly draft?: string;
}

/** A link of the navigation, with an unread count. */
export function Line({ href, icon, channel, text, count, what, isMuted, draft }: LineProperties) {
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

/** Pinned channels first, muted ones last. */
function inOrder(one: KnownChannel, other: KnownChannel): number {
  const rank = (channel: KnownChannel) => (channel.pin_to_top ? 0 : channel.is_muted ? 2 : 1);
  return rank(one) - rank(other) || collator.compare(one.name, other.name);
}

/** Prefers the open channel, then channels with unread messages. */
function foremost(all: readonly KnownChannel[], open: number): KnownChannel[] {
  const rank = ({ stream_id: id }: KnownChannel) => (id === open ? 2 : Math.min(1, unreadIn(`c${id}`)));
  return [...all]
    .sort((one, other) => rank(other) - rank(one))
    .slice(0, MANY)
    .sort(inOrder);
}

interface LinesProperties {
  /** Whether the lines have a page of their own, which is not filtered by shortcuts. */
  readonly isPage?: boolean;
}

/** The subscribed channels, and the topics of the open one. */
export function ChannelLines({ isPage }: LinesProperties) {
  const [wanted, setWanted] = useState('');
  const openChannel = Number(path.value.split('/')[3] ?? '');
  const isInChannel = path.value.startsWith(`${ROOT}/channels/`);
  const own = [...channels.value.values()]
    .filter(({ isSubscribed, is_archived }) => isSubscribed && !is_archived)
    .sort(inOrder);
  const found = own.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  const shown = found.length > MANY ? foremost(found, openChannel) : found;
  return (
    <>
      {(own.length > FEW || (!isPage && filtered.value === 'channels')) && (
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
    </>
  );
}

import type { ComponentChildren } from 'preact';
import { placeKey, type Place } from '../connection/place';
import type { Message } from '../connection/records';
import { channels, mentions, myId, nameOf, unread } from '../connection/state';
import { shownTime, shownWhen } from '../parts/format';
import { ChannelIcon } from '../parts/channel-icon';
import { Icon } from '../parts/icon';
import { Avatar } from '../parts/person';
import { textOf } from '../parts/rendered';
import * as words from '../words';
import { Count, unreadIn } from './unread-counts';
import { channelName, hrefOf, isFollowedPlace, isMutedPlace, namesOf, topicName } from './places';

const LONGEST = 200;
const previews = new WeakMap<Message, string>();

/** The beginning of a message as a single line of plain text. */
function previewOf(message: Message): string {
  const known = previews.get(message);
  if (known !== undefined) return known;
  const html = message.is_me_message ? message.content.replace('/me ', '') : message.content;
  const text = textOf(html).trim().replace(/\s+/g, ' ').slice(0, LONGEST) || words.overviews.attachment;
  previews.set(message, text);
  return text;
}

/** Sender and beginning of the newest message. */
function Preview({ message }: { readonly message: Message }) {
  const name = message.sender_id === myId.value ? words.overviews.you : nameOf(message.sender_id);
  return (
    <span class="preview-line">
      <span class="by">{message.is_me_message ? name : words.overviews.lastFrom(name)}</span>{' '}
      <bdi>{previewOf(message)}</bdi>
    </span>
  );
}

/** Whether a conversation has an unread mention of the user. */
function hasMention(key: string): boolean {
  for (const id of mentions.value) {
    const place = unread.value.get(id);
    if (place && placeKey(place) === key) return true;
  }
  return false;
}

interface PlaceRowProperties {
  readonly place: Place;
  /** The newest message, once loaded. */
  readonly message: Message | undefined;
  /** Whether to show the channel; not needed below a heading with its name. */
  readonly withChannel?: boolean;
  /** Recent senders, the latest first. */
  readonly people?: readonly number[];
  /** Buttons next to the conversation. */
  readonly children?: ComponentChildren;
}

/** A conversation in a list: sender, beginning and time of the newest message, and the unread count. */
export function PlaceRow({ place, message, withChannel, people, children }: PlaceRowProperties) {
  const key = placeKey(place);
  const isDirect = 'userIds' in place;
  const face = isDirect && place.userIds.length < 2 ? (place.userIds[0] ?? myId.value) : message?.sender_id;
  const isMuted = isMutedPlace(place);
  const channel = isDirect ? undefined : channels.value.get(place.channelId);
  return (
    <li class={isMuted ? 'muted' : unreadIn(key) > 0 ? 'unread' : undefined}>
      <a class="place-row" href={hrefOf(place)}>
        {face === undefined ? <span class="avatar" /> : <Avatar userId={face} />}
        <span class="row-text">
          <span class="row-title">
            {withChannel && !isDirect && (
              <span class="of-channel">
                <ChannelIcon channel={channel} />
                <span class="name">{channelName(place.channelId)}</span>
                <span aria-hidden="true"> ›</span>
              </span>
            )}
            <span class="name">{isDirect ? namesOf(place.userIds) : topicName(place.topic)}</span>
            {isFollowedPlace(place) && <Sign icon="bell" text={words.overviews.followed} />}
            {isMuted && <Sign icon="mute" text={words.overviews.muted} />}
          </span>
          {message && <Preview message={message} />}
        </span>
        {people && (
          <span class="stack">
            {people.map((id) => (
              <Avatar key={id} userId={id} />
            ))}
          </span>
        )}
        <span class="row-end">
          {message && (
            <time
              dateTime={new Date(message.timestamp * 1000).toISOString()}
              title={shownTime(message.timestamp)}
            >
              {shownWhen(message.timestamp)}
            </time>
          )}
          <span class="marks">
            {hasMention(key) && <Sign icon="at" text={words.overviews.mentioned} />}
            <Count of={unreadIn(key)} />
          </span>
        </span>
      </a>
      {children && <div class="row-tools">{children}</div>}
    </li>
  );
}

function Sign({ icon, text }: { readonly icon: 'at' | 'bell' | 'mute'; readonly text: string }) {
  return (
    <span class="sign" title={text}>
      <Icon name={icon} />
      <span class="unseen">{text}</span>
    </span>
  );
}

interface FiltersProperties {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly filters: Readonly<Record<string, string>>;
  /** Names of active filters. */
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (name: string) => void;
}

/** Filters of a list of conversations. */
export function PlaceFilters({ text, onText, filters, chosen, onToggle }: FiltersProperties) {
  return (
    <div class="filters" role="group" aria-label={words.overviews.filter}>
      <input
        type="search"
        aria-label={words.overviews.filter}
        placeholder={words.overviews.filter}
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      {Object.entries(filters).map(([name, label]) => (
        <button
          key={name}
          type="button"
          class="button filter"
          aria-pressed={chosen.has(name)}
          onClick={() => onToggle(name)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** Whether the name of a conversation contains a text. */
export function isNamed(place: Place, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const name =
    'userIds' in place ? namesOf(place.userIds) : `${channelName(place.channelId)} ${topicName(place.topic)}`;
  return name.toLowerCase().includes(wanted);
}

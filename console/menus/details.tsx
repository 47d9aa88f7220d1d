import { useEffect, useState } from 'preact/hooks';
import { call } from '../connection/call';
import { presenceOf } from '../connection/presence';
import { TOPIC_POLICY, type KnownChannel } from '../connection/records';
import { channels, myId, nameOf, onEvent } from '../connection/state';
import type { Narrow } from '../conversations/narrow';
import { hrefOf, topicName } from '../conversations/places';
import { loadTopics, topicsOf } from '../conversations/topics';
import { policyOf, setOfChannel, setTopicPolicy, toggleChannelMuted } from '../conversations/visibility';
import { Check, SelectField, TextField } from '../parts/field';
import { PersonName } from '../parts/person';
import { Rendered } from '../parts/rendered';
import { attempt, useFetched } from '../parts/task';
import { ROOT } from '../router';
import * as common from '../words';
import { PersonCard } from './person-card';
import * as words from './words';

/** Maximum number of members and topics listed; their own pages list all. */
const SHOWN_MEMBERS = 100;
const SHOWN_TOPICS = 6;
/** Up to this number of members, no filter is needed. */
const FEW = 10;

/** Sorts active people first, then by name. */
function byPresence(one: number, other: number): number {
  const rank = (id: number) => ['active', 'idle', 'offline'].indexOf(presenceOf(id));
  return rank(one) - rank(other) || nameOf(one).localeCompare(nameOf(other));
}

/** People with their presence; each opens a card. */
function People({ userIds }: { readonly userIds: readonly number[] }) {
  const [wanted, setWanted] = useState('');
  const [card, setCard] = useState<{ readonly id: number; readonly anchor: Element } | null>(null);
  const found = userIds
    .filter((id) => nameOf(id).toLowerCase().includes(wanted.trim().toLowerCase()))
    .sort(byPresence);
  return (
    <section>
      <h3>{words.details.members(userIds.length)}</h3>
      {userIds.length > FEW && (
        <TextField label={common.find} type="search" value={wanted} onValue={setWanted} />
      )}
      <ul class="list">
        {found.slice(0, SHOWN_MEMBERS).map((id) => (
          <li key={id}>
            <button onClick={({ currentTarget }) => setCard({ id, anchor: currentTarget })}>
              <PersonName userId={id} />
              <span class={`presence ${presenceOf(id)}`} title={common.presence[presenceOf(id)]}>
                <span class="unseen">{common.presence[presenceOf(id)]}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > SHOWN_MEMBERS && <p class="note">{common.more(found.length - SHOWN_MEMBERS)}</p>}
      {card && <PersonCard userId={card.id} anchor={card.anchor} onClose={() => setCard(null)} />}
    </section>
  );
}

/** The subscribers of a channel, kept up to date. */
function Subscribers({ channelId }: { readonly channelId: number }) {
  const { value, error, reload } = useFetched(
    () => call<{ subscribers: number[] }>('GET', `streams/${channelId}/members`),
    [channelId],
  );
  useEffect(() => onEvent(({ type }) => type === 'subscription' && reload()), [channelId]);
  if (!value) return <p class={error ? 'error' : 'empty'}>{error || common.loading}</p>;
  return <People userIds={value.subscribers} />;
}

/** The newest topics of a channel. */
function Topics({ channelId }: { readonly channelId: number }) {
  useEffect(() => void loadTopics(channelId), [channelId]);
  const all = topicsOf.value.get(channelId) ?? [];
  return (
    <section>
      <h3>{words.details.topics}</h3>
      <ul class="list">
        {all.slice(0, SHOWN_TOPICS).map(({ name }) => (
          <li key={name}>
            <a href={hrefOf({ channelId, topic: name })}>{topicName(name)}</a>
          </li>
        ))}
        {all.length > SHOWN_TOPICS && (
          <li>
            <a href={`${hrefOf({ channelId })}/topics`}>{common.conversations.allTopics(all.length)}</a>
          </li>
        )}
      </ul>
    </section>
  );
}

/** The user's own settings of a channel. */
function ChannelSettings({ channel }: { readonly channel: KnownChannel }) {
  const { stream_id: id, isSubscribed, pin_to_top: isPinned = false, is_muted: isMuted = false } = channel;
  return (
    <section>
      <h3>{common.settingsTitle}</h3>
      {isSubscribed && (
        <>
          <Check
            isSwitch
            label={words.channel.pin}
            checked={isPinned}
            onChecked={(isOn) => attempt(setOfChannel(id, 'pin_to_top', isOn))}
          />
          <Check
            isSwitch
            label={words.channel.mute}
            checked={isMuted}
            onChecked={() => attempt(toggleChannelMuted(channel))}
          />
        </>
      )}
      <a href={`${ROOT}/channel-settings/${id}`}>{words.channel.settings}</a>
    </section>
  );
}

/** The user's notifications of a topic. */
function TopicSettings({ channelId, topic }: { readonly channelId: number; readonly topic: string }) {
  const names = ['none', 'muted', 'unmuted', 'followed'] as const;
  return (
    <section>
      <SelectField
        label={words.details.notifications}
        value={String(policyOf(channelId, topic))}
        choices={names.map((name) => ({
          value: String(TOPIC_POLICY[name]),
          label: words.topic.policies[name],
        }))}
        onValue={(policy) => attempt(setTopicPolicy(channelId, topic, Number(policy)))}
      />
    </section>
  );
}

/** What a conversation is about and who is in it: description, settings, topics and members. */
export function Details({ narrow }: { readonly narrow: Narrow }) {
  if ('userIds' in narrow) return <People userIds={[...new Set([...narrow.userIds, myId.value])]} />;
  const channel = 'channelId' in narrow ? channels.value.get(narrow.channelId) : undefined;
  if (!channel) return null;
  const { stream_id: channelId, name, description, rendered_description: html } = channel;
  return (
    <>
      <section>
        <h3>#{name}</h3>
        {description ? <Rendered html={html} /> : <p class="note">{words.details.noDescription}</p>}
      </section>
      {'topic' in narrow && <TopicSettings channelId={channelId} topic={narrow.topic} />}
      <ChannelSettings channel={channel} />
      {!('topic' in narrow) && <Topics channelId={channelId} />}
      <Subscribers channelId={channelId} />
    </>
  );
}

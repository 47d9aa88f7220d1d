import { useEffect } from 'preact/hooks';
import { topicKey } from '../connection/place';
import { TOPIC_POLICY, type KnownChannel } from '../connection/records';
import { channels, epoch } from '../connection/state';
import { Button } from '../parts/button';
import { lazy } from '../parts/lazy';
import { MenuButton } from '../parts/menu';
import { NotFound, Page } from '../parts/page';
import { Rendered } from '../parts/rendered';
import { attempt } from '../parts/task';
import type { ScreenProperties } from '../parts/screen';
import * as words from '../words';
import { Conversation } from './conversation';
import { unreadIn } from './unread-counts';
import { channelName, hrefOf, topicName } from './places';
import { markNarrowRead } from './reading';
import { loadTopics, topicsOf } from './topics';
import { join, policyOf, setTopicPolicy, toggleChannelMuted } from './visibility';

const TopicMenu = lazy(async () => (await import('../menus')).TopicMenu, false);
const ChannelMenu = lazy(async () => (await import('../menus')).ChannelMenu, false);

/** A button that marks the unread messages of a channel or topic as read. */
function MarkRead({ channelId, topic }: { readonly channelId: number; readonly topic?: string }) {
  const key = topic === undefined ? `c${channelId}` : topicKey(channelId, topic);
  if (unreadIn(key) === 0) return null;
  const narrow = topic === undefined ? { channelId } : { channelId, topic };
  return (
    <Button icon="check" class="mark-read" onClick={() => attempt(markNarrowRead(narrow))}>
      {words.conversations.markRead}
    </Button>
  );
}

function TopicActions({ channelId, topic }: { readonly channelId: number; readonly topic: string }) {
  const policy = policyOf(channelId, topic);
  const set = (chosen: number) =>
    attempt(setTopicPolicy(channelId, topic, policy === chosen ? TOPIC_POLICY.none : chosen));
  return (
    <>
      <MarkRead channelId={channelId} topic={topic} />
      <Button
        icon="bell"
        aria-pressed={policy === TOPIC_POLICY.followed}
        onClick={() => set(TOPIC_POLICY.followed)}
      >
        {words.conversations.follow}
      </Button>
      <Button
        icon="mute"
        aria-pressed={policy === TOPIC_POLICY.muted}
        onClick={() => set(TOPIC_POLICY.muted)}
      >
        {words.conversations.mute}
      </Button>
      <MenuButton
        label={words.conversations.topicMenu}
        menu={(anchor, onClose) => <TopicMenu {...{ anchor, channelId, topic, onClose }} />}
      />
    </>
  );
}

function ChannelActions({ channelId }: { readonly channelId: number }) {
  const channel = channels.value.get(channelId);
  if (!channel?.isSubscribed) return null;
  return (
    <>
      <MarkRead channelId={channelId} />
      <Button
        icon="mute"
        aria-pressed={channel.is_muted ?? false}
        onClick={() => attempt(toggleChannelMuted(channel))}
      >
        {words.conversations.mute}
      </Button>
      <MenuButton
        label={words.conversations.channelMenu}
        menu={(anchor, onClose) => <ChannelMenu {...{ anchor, channelId, onClose }} />}
      />
    </>
  );
}

const mayWrite = ({ isSubscribed, is_archived }: KnownChannel) => isSubscribed && !is_archived;

/** Replaces the composer in channels that are archived or not subscribed to. */
function Closed({ channel }: { readonly channel: KnownChannel }) {
  const { name, is_archived: isArchived } = channel;
  if (isArchived) return <p class="composer">{words.conversations.archived}</p>;
  return (
    <div class="composer">
      <p>{words.conversations.notSubscribed(name)}</p>
      <Button kind="main" onClick={() => attempt(join(channel))}>
        {words.conversations.subscribe}
      </Button>
    </div>
  );
}

/** A topic of a channel. */
export function TopicPage({ parameters }: ScreenProperties) {
  const channelId = Number(parameters['channel']);
  const topic = parameters['topic'] ?? '';
  const place = { channelId, topic };
  const channel = channels.value.get(channelId);
  if (!channel) return <NotFound />;
  return (
    <Conversation
      title={topicName(topic)}
      trail={
        <a href={hrefOf({ channelId })}>
          <bdi>#{channel.name}</bdi>
        </a>
      }
      actions={<TopicActions {...place} />}
      narrow={place}
      empty={words.conversations.emptyTopic}
      place={mayWrite(channel) ? place : null}
      instead={<Closed channel={channel} />}
    />
  );
}

/** All messages of a channel. */
export function ChannelPage({ parameters }: ScreenProperties) {
  const channelId = Number(parameters['channel']);
  const channel = channels.value.get(channelId);
  if (!channel) return <NotFound />;
  return (
    <Conversation
      title={`#${channel.name}`}
      about={<Rendered html={channel.rendered_description} />}
      actions={<ChannelActions channelId={channelId} />}
      narrow={{ channelId }}
      empty={words.conversations.emptyChannel}
      place={mayWrite(channel) ? { channelId } : null}
      instead={<Closed channel={channel} />}
    />
  );
}

/** The topics of a channel, newest first. */
export function TopicsPage({ parameters }: ScreenProperties) {
  const channelId = Number(parameters['channel']);
  useEffect(() => void loadTopics(channelId), [channelId, epoch.value]);
  if (!channels.value.has(channelId)) return <NotFound />;
  return (
    <Page title={words.conversations.topicsOf(channelName(channelId))}>
      <ul class="list">
        {(topicsOf.value.get(channelId) ?? []).map(({ name }) => (
          <li key={name}>
            <a href={hrefOf({ channelId, topic: name })}>{topicName(name)}</a>
          </li>
        ))}
      </ul>
    </Page>
  );
}

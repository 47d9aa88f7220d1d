import { useEffect, useState } from 'preact/hooks';
import { call, Refusal } from '../connection/call';
import { may } from '../connection/can';
import { TOPIC_POLICY } from '../connection/records';
import { channels, settings } from '../connection/state';
import { hrefOf, topicName } from '../conversations/places';
import { markNarrowRead } from '../conversations/reading';
import { policyOf, setOfChannel, setTopicPolicy, toggleChannelMuted } from '../conversations/visibility';
import { Confirm } from '../parts/dialog';
import { copyText } from '../parts/copy-button';
import { Menu, type MenuItem } from '../parts/menu';
import { announce } from '../parts/status';
import { attempt, sentenceOf } from '../parts/task';
import { navigate, ROOT } from '../router';
import { notFound } from '../words';
import { ColorDialog } from './color-dialog';
import { linkTo } from './links';
import { MoveDialog } from './move-dialog';
import { SubscriptionDialog } from './subscription-dialog';
import * as words from './words';

/** Prefix of the names of resolved topics. */
const RESOLVED = '✔ ';

interface PlaceMenuProperties {
  readonly anchor: Element;
  readonly onClose: () => void;
}

/** What a menu shows: itself, one of its dialogs, or nothing. */
function useStage<T extends string>(onClose: () => void) {
  const [stage, setStage] = useState<'menu' | T | null>('menu');
  useEffect(() => {
    if (stage === null) onClose();
  }, [stage]);
  return [stage, setStage] as const;
}

/** ID of the newest message of a topic, which identifies the topic in the API. */
async function newestOf(channelId: number, topic: string): Promise<number> {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ];
  const { messages } = await call<{ messages: { id: number }[] }>('GET', 'messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow,
    allow_empty_topic_name: true,
  });
  const [newest] = messages;
  if (!newest) throw new Refusal(notFound);
  return newest.id;
}

async function setResolved(channelId: number, topic: string): Promise<void> {
  const name = topic.startsWith(RESOLVED) ? topic.slice(RESOLVED.length) : RESOLVED + topic;
  await call('PATCH', `messages/${await newestOf(channelId, topic)}`, {
    topic: name,
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: true,
  });
}

/** Each request deletes only as many messages as the server has time for. */
async function eraseTopic(channelId: number, topic_name: string): Promise<void> {
  for (let isDone = false; !isDone;) {
    const { complete } = await call<{ complete: boolean }>('POST', `streams/${channelId}/delete_topic`, {
      topic_name,
    });
    isDone = complete;
  }
  navigate(hrefOf({ channelId }));
}

/** All actions on a topic. */
export function TopicMenu(properties: PlaceMenuProperties & { channelId: number; topic: string }) {
  const { anchor, channelId, topic, onClose } = properties;
  const [stage, setStage] = useStage<'asking' | 'move' | 'erase'>(onClose);
  const [newest, setNewest] = useState(0);
  const close = () => setStage(null);
  const policy = policyOf(channelId, topic);
  const startMoving = () => {
    setStage('asking');
    newestOf(channelId, topic).then(
      (id) => {
        setNewest(id);
        setStage('move');
      },
      (error: unknown) => {
        announce(sentenceOf(error));
        close();
      },
    );
  };
  const isResolved = topic.startsWith(RESOLVED);
  const mayMove =
    may('can_move_messages_between_topics_group') || may('can_move_messages_within_channel_group', channelId);
  const mayResolve = topic !== '' && may('can_resolve_topics_group', channelId);
  const items: MenuItem[] = [
    {
      label: words.topic.markRead,
      icon: 'check',
      run: () => attempt(markNarrowRead({ channelId, topic })),
    },
    {
      label: words.message.copyLink,
      icon: 'link',
      run: () => void copyText(linkTo({ channelId, topic }), words.copied),
    },
    null,
    ...(['none', 'muted', 'unmuted', 'followed'] as const).map((name) => ({
      label: words.topic.policies[name],
      isChosen: policy === TOPIC_POLICY[name],
      run: () => attempt(setTopicPolicy(channelId, topic, TOPIC_POLICY[name])),
    })),
    ...(mayMove || mayResolve ? [null] : []),
    ...(mayResolve
      ? [
          {
            label: isResolved ? words.topic.unresolve : words.topic.resolve,
            icon: 'check' as const,
            run: () => attempt(setResolved(channelId, topic)),
          },
        ]
      : []),
    ...(mayMove ? [{ label: words.topic.rename, icon: 'edit' as const, run: startMoving }] : []),
    ...(may('can_delete_any_message_group', channelId)
      ? [
          null,
          {
            label: words.topic.erase,
            icon: 'trash' as const,
            isDangerous: true,
            run: () => setStage('erase'),
          },
        ]
      : []),
  ];
  if (stage === 'move') {
    return <MoveDialog messageId={newest} {...{ channelId, topic }} isWhole onClose={close} />;
  }
  if (stage === 'erase') {
    return (
      <Confirm
        title={words.topic.erase}
        action={words.topic.erase}
        isDangerous
        onConfirm={() => eraseTopic(channelId, topic)}
        onClose={close}
      >
        <p>{words.topic.eraseAbout(topicName(topic))}</p>
      </Confirm>
    );
  }
  return stage === 'menu' && <Menu anchor={anchor} label={words.topic.menu} items={items} onClose={close} />;
}

/** All actions on a subscribed channel. */
export function ChannelMenu({ anchor, channelId, onClose }: PlaceMenuProperties & { channelId: number }) {
  const [stage, setStage] = useStage<'color' | 'leave'>(onClose);
  const close = () => setStage(null);
  const channel = channels.value.get(channelId);
  if (!channel) return null;
  const toggle = (label: string, property: string, isOn: boolean): MenuItem => ({
    label,
    isChosen: isOn,
    run: () => attempt(setOfChannel(channelId, property, !isOn)),
  });
  const own = (value: boolean | null | undefined, setting: string) =>
    value ?? settings.value[setting] === true;
  const items: MenuItem[] = [
    { label: words.channel.topics, icon: 'hash', run: () => navigate(`${hrefOf({ channelId })}/topics`) },
    {
      label: words.message.copyLink,
      icon: 'link',
      run: () => void copyText(linkTo({ channelId }), words.copied),
    },
    null,
    toggle(words.channel.pin, 'pin_to_top', channel.pin_to_top ?? false),
    {
      label: words.channel.mute,
      isChosen: channel.is_muted ?? false,
      run: () => attempt(toggleChannelMuted(channel)),
    },
    toggle(
      words.channel.desktop,
      'desktop_notifications',
      own(channel.desktop_notifications, 'enable_stream_desktop_notifications'),
    ),
    toggle(
      words.channel.sound,
      'audible_notifications',
      own(channel.audible_notifications, 'enable_stream_audible_notifications'),
    ),
    toggle(
      words.channel.push,
      'push_notifications',
      own(channel.push_notifications, 'enable_stream_push_notifications'),
    ),
    null,
    { label: words.channel.color, icon: 'color', run: () => setStage('color') },
    {
      label: words.channel.settings,
      icon: 'edit',
      run: () => navigate(`${ROOT}/channel-settings/${channelId}`),
    },
    { label: words.channel.leave, icon: 'leave', isDangerous: true, run: () => setStage('leave') },
  ];
  if (stage === 'color') return <ColorDialog channel={channel} onClose={close} />;
  if (stage === 'leave') return <SubscriptionDialog channelId={channelId} onClose={close} />;
  return stage && <Menu anchor={anchor} label={words.channel.menu} items={items} onClose={close} />;
}

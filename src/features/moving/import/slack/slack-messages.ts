import type { JsonRow } from '../../../../platform/archives/json-rows';
import { topicReference } from '../../../messages/messages.module';
import type { ConvertedArchive } from '../converting/converted-archive';
import { numberOf, rowOf, rowsOf, textOf, textsOf } from '../converting/loose';
import { ThreadTopics } from '../converting/thread-topics';
import { joined } from '../converting/markdown';
import { SlackBlocks } from './slack-blocks';
import type { SlackConversation } from './slack-conversations';
import type { SlackEmoji, SlackFiles } from './slack-files';
import type { SlackPeople } from './slack-people';
import { fromMrkdwn, plainMrkdwn, type SlackNames } from './slack-text';

/** Topic of messages outside threads. */
const MAIN_TOPIC = 'imported from Slack';

/** Subtypes of system messages. */
const NOTICES = new Set([
  ...['join', 'leave', 'topic', 'purpose', 'name', 'archive', 'unarchive', 'convert_to_private'].flatMap(
    (kind) => [`channel_${kind}`, `group_${kind}`],
  ),
  ...['channel_posting_permissions', 'group_posting_permissions', 'channel_convert_to_public', 'pinned_item'],
  ...['unpinned_item', 'bot_add', 'bot_remove', 'bot_enable', 'bot_disable', 'ekm_access_denied'],
  ...['joiner_notification', 'joiner_notification_for_inviter'],
]);

/** Subtypes of earlier versions and deleted messages. */
const FORMER = new Set(['message_changed', 'message_deleted', 'message_replied', 'original', 'tombstone']);

const CONTENT = new Set([
  ...[
    '',
    'bot_message',
    'me_message',
    'thread_broadcast',
    'file_share',
    'file',
    'file_comment',
    'file_mention',
  ],
  ...['reminder_add', 'slackbot_response', 'sh_room_created', 'huddle_thread', 'reply_broadcast'],
]);

const SLACK_TIME = /^(\d{1,11})\.(\d{1,6})$/;

/** Collaborators of {@link SlackMessages}. */
export interface SlackTools {
  readonly builder: ConvertedArchive;
  readonly people: SlackPeople;
  readonly emoji: SlackEmoji;
  readonly files: SlackFiles;
  readonly names: SlackNames;
}

interface TopicPlace {
  readonly topic: string;
  /** Whether the message is copied to the main topic. */
  readonly isShownInChannel: boolean;
}

/** Direct messages have no topics. */
const OUTSIDE: TopicPlace = { topic: '', isShownInChannel: false };

/** The timestamp of a message in microseconds, unique within a conversation; null if invalid. */
export function timeOf(message: JsonRow): number | null {
  const [, seconds, fraction = ''] = SLACK_TIME.exec(textOf(message, 'ts')) ?? [];
  if (seconds === undefined || Number(seconds) === 0) return null;
  return Number(seconds) * 1e6 + Number(fraction.padEnd(6, '0'));
}

/** The reason why a row is not imported as a message; null if it is imported. */
export function refusalOf(message: JsonRow): string | null {
  const subtype = textOf(message, 'subtype');
  if (timeOf(message) === null) return 'Missing or invalid timestamp.';
  if (NOTICES.has(subtype)) return 'System messages are not imported ("' + subtype + '").';
  if (FORMER.has(subtype)) return 'Earlier versions and deleted messages are not imported.';
  return null;
}

/** Converts messages in chronological order. */
export class SlackMessages {
  private readonly topics = new ThreadTopics();
  private readonly blocks: SlackBlocks;
  private reactions = 0;

  constructor(private readonly tools: SlackTools) {
    this.blocks = new SlackBlocks(tools.names, (kind) =>
      tools.builder.note('changed', 'block', null, `Unknown block type ("${kind}").`),
    );
  }

  add(message: JsonRow, conversation: SlackConversation): void {
    const { builder, people } = this.tools;
    const name = `${conversation.slackId}/${textOf(message, 'ts')}`;
    const sender = people.senderOf(message);
    const subtype = textOf(message, 'subtype');
    if (!CONTENT.has(subtype))
      builder.note(
        'changed',
        'message',
        name,
        `Unknown message type ("${subtype}"); imported as a normal message.`,
      );
    const text = this.textOf(message);
    const row = {
      ...{ source_id: name, sender: sender.id, recipient: conversation.recipientId },
      date_sent: (timeOf(message) ?? 0) / 1e6,
      last_edit_time: editedAt(message),
    };
    const files = this.tools.files.of(message, sender.id);
    const content = joined([text, ...files.lines], '\n\n');
    if (content === '') {
      builder.note('left out', 'message', name, 'The message has no text and no files.');
      return;
    }
    const { channel } = conversation;
    const place = channel === null ? OUTSIDE : this.topicOf(message, channel.id);
    const first = builder.message({ ...row, topic: place.topic, content });
    files.stand(first);
    if (channel !== null && place.isShownInChannel) {
      const thread = topicReference({ channelName: channel.name, topic: place.topic });
      const copy = { source_id: `${name}/copy`, topic: MAIN_TOPIC };
      files.stand(builder.message({ ...row, ...copy, content: `${content}\n\n*Thread:* ${thread}` }));
    }
    this.react(message, first, name);
  }

  private topicOf(message: JsonRow, channelId: number): TopicPlace {
    const own = textOf(message, 'ts');
    const thread = textOf(message, 'thread_ts');
    const isFirst = thread === own && numberOf(message, 'reply_count') !== 0;
    if (thread === '' || !SLACK_TIME.test(thread) || (thread === own && !isFirst))
      return { topic: MAIN_TOPIC, isShownInChannel: false };
    const at = Number(thread);
    const root = isFirst ? null : rowOf(message, 'root');
    const topic = this.topics.of(channelId, thread, at, () => this.plainText(root ?? message));
    const isBroadcast = ['thread_broadcast', 'reply_broadcast'].includes(textOf(message, 'subtype'));
    return { topic, isShownInChannel: isFirst || isBroadcast };
  }

  private textOf(message: JsonRow): string {
    const { names } = this.tools;
    const text = textOf(message, 'text');
    const hasRichText = rowsOf(message, 'blocks').some((block) => textOf(block, 'type') === 'rich_text');
    // Users saw the rich text, which `text` was derived from. Other blocks have an independent text.
    const blocks = hasRichText || text === '' ? this.blocks.blocks(message) : '';
    const comment = textOf(rowOf(message, 'comment'), 'comment');
    const shown = joined([
      blocks === '' ? fromMrkdwn(text, names) : blocks,
      text === '' ? fromMrkdwn(comment, names) : '',
      this.blocks.attachments(message),
    ]).trim();
    return textOf(message, 'subtype') === 'me_message' && shown !== '' ? `/me ${shown}` : shown;
  }

  private plainText(message: JsonRow): string {
    const text = plainMrkdwn(textOf(message, 'text'), this.tools.names);
    const [file] = rowsOf(message, 'files');
    return text.trim() === '' && file ? textOf(file, 'title') || textOf(file, 'name') : text;
  }

  private react(message: JsonRow, messageId: number, name: string): void {
    const { builder, people, emoji } = this.tools;
    const seen = new Set<string>();
    for (const reaction of rowsOf(message, 'reactions')) {
      const given = textOf(reaction, 'name');
      const found = emoji.find(given);
      if (found === null) {
        builder.note('left out', 'reaction', name, `Unknown emoji ("${given}").`);
        continue;
      }
      const users = new Set(textsOf(reaction, 'users'));
      if ((numberOf(reaction, 'count') ?? 0) > users.size)
        builder.note('left out', 'reaction', name, 'The export omits some users who reacted.');
      for (const user of users) {
        const person = people.find(user);
        if (person === null) builder.note('left out', 'reaction', name, 'The user is not in the export.');
        // Reactions that differ only in skin tone are the same emoji here.
        const key = `${person?.id} ${found.reaction_type} ${found.emoji_code}`;
        if (person === null || seen.has(key)) continue;
        seen.add(key);
        const row = { id: ++this.reactions, source_id: name, user_profile: person.id, message: messageId };
        builder.add('zerver_reaction', { ...row, ...found });
      }
    }
  }
}

function editedAt(message: JsonRow): number | null {
  const at = Number(textOf(rowOf(message, 'edited'), 'ts'));
  return at > 0 ? at : null;
}

import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { reminderRemoved, remindersAdded, reminderWire } from './reminders.api';
import { groupBy } from '../../../platform/collections';
import { Config } from '../../../platform/config/config';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { ChannelDirectory } from '../../channels/channels.module';
import {
  channelNarrow,
  conversationNarrow,
  DirectConversationService,
  fenceAround,
  MessageAccess,
  MessageRendererService,
  messagesDeleted,
  MessageTextService,
  type ReadableMessage,
  silentMention,
  topicReference,
} from '../../messages/messages.module';
import type { Requester } from '../../user-groups/user-groups.module';
import { AccountDirectory, UNKNOWN_USER, UserVisibility } from '../../users/users.module';
import { Reminder } from '../drafts.entity';

type Message = ReadableMessage['message'];

/** The text of a reminder: its Markdown, and how its reader sees it. */
interface ReminderText {
  readonly content: string;
  readonly rendered: Awaited<ReturnType<MessageRendererService['renderFor']>>;
}

/** How the text describes a message. */
interface Description {
  /** The fragment of the link to it. */
  readonly narrow: string;
  readonly isDirect: boolean;
  readonly place: string;
}

/** Messages that clients show as widgets, by their first word. */
const WIDGETS: Readonly<Record<string, string>> = { '/poll': 'a poll', '/todo': 'a todo list' };

/** Renders the bot's reminder, with the current content of the message. */
@Injectable()
export class ReminderTextService {
  constructor(
    private readonly access: MessageAccess,
    private readonly conversations: DirectConversationService,
    private readonly channels: ChannelDirectory,
    private readonly accounts: AccountDirectory,
    private readonly visibility: UserVisibility,
    private readonly renderer: MessageRendererService,
    private readonly texts: MessageTextService,
    private readonly config: Config,
  ) {}

  /** @throws InvalidMessage for a message that the reader may not see, or that does not exist */
  async write(db: Queryable, reader: Requester, messageId: number, note: string): Promise<ReminderText> {
    const { message } = await this.access.forReading(db, reader, messageId);
    const { narrow, isDirect, place } = await this.describe(db, reader, message);
    const [sender = ''] = await this.names(db, reader, [message.senderId]);
    const url = new URL(narrow, this.config.externalUrl).href;
    const kind = isDirect ? 'direct message' : 'message';
    const intro = `You requested a reminder for the following ${kind}.${noted(note)}\n\n`;
    const widget = WIDGETS[message.content.split(/\s/, 1)[0] ?? ''];
    const content = widget
      ? `${intro}${sender} [sent](${url}) ${widget} ${place}.`
      : this.quote(`${intro}${sender} [said](${url}) ${place}:\n`, message.content);
    return this.rendered(reader, content);
  }

  /** The text about a deleted message. To be rendered again for the reader at delivery. */
  ofDeleted(note: string): ReminderText {
    const content = `You requested a reminder for a message that has been deleted.${noted(note)}`;
    return { content, rendered: this.renderer.renderOutside(content) };
  }

  /** The earlier text, for a message that is no longer accessible. */
  async rendered(reader: Requester, content: string): Promise<ReminderText> {
    return { content, rendered: await this.renderer.renderFor(reader, content) };
  }

  private quote(intro: string, content: string): string {
    const fence = fenceAround(content);
    const [opened, closed] = [`${intro}${fence}quote\n`, `\n${fence}`];
    return opened + this.texts.cutContent(content, opened.length + closed.length) + closed;
  }

  private async describe(db: Queryable, reader: Requester, message: Message): Promise<Description> {
    const { id, channelId, conversationId, topicName, senderId } = message;
    const channel = channelId === null ? undefined : this.channels.byId(channelId);
    if (channel) {
      const topic = topicName ?? '';
      return {
        narrow: channelNarrow(channel, topic, { near: id }),
        isDirect: false,
        place: `in ${topicReference({ channelName: channel.name, topic, messageId: id })}`,
      };
    }
    const members = await this.conversations.membersOf(db, [conversationId ?? 0]);
    const memberIds = members.get(conversationId ?? 0) ?? [];
    const others = memberIds.filter((userId) => userId !== senderId);
    const names = await this.names(db, reader, others.length > 0 ? others : [senderId]);
    const people = new Intl.ListFormat('en').format(names.sort());
    return { narrow: conversationNarrow(memberIds, id), isDirect: true, place: `to ${people}` };
  }

  /** Silent mentions; people whom the reader cannot see stay unknown. */
  private async names(db: Queryable, reader: Requester, userIds: readonly number[]): Promise<string[]> {
    const sees = await this.visibility.filterFor(db, reader);
    return userIds
      .map((id) => this.accounts.existing(id))
      .map((account) => (sees(account) ? silentMention(account) : UNKNOWN_USER.fullName));
  }
}

function noted(note: string): string {
  return note === '' ? '' : ` Note:\n > ${note.replaceAll('\n', '\n > ')}`;
}

/** Removes the content of deleted messages from reminders, which are still delivered, with their notes. */
@Injectable()
export class ForgetDeletedService {
  constructor(
    private readonly texts: ReminderTextService,
    hooks: Hooks,
  ) {
    hooks.on(messagesDeleted, (tx, messageIds) => this.forget(tx, messageIds));
  }

  private async forget(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    const reminders = await tx
      .repository(Reminder)
      .find({ where: { targetMessageId: In(messageIds) }, order: { id: 'ASC' } });
    for (const [note, alike] of groupBy(reminders, (reminder) => reminder.note)) {
      const { content, rendered } = this.texts.ofDeleted(note);
      const text = { content, renderedContent: rendered.html };
      // Excludes reminders that were delivered or deleted in the meantime.
      const changed = await tx.query<{ id: number }>(
        'UPDATE reminder SET content = ?, rendered_content = ? WHERE id IN (?) RETURNING id',
        [text.content, text.renderedContent, alike.map(({ id }) => id)],
      );
      const left = new Set(changed.map(({ id }) => id));
      for (const reminder of alike) if (left.has(reminder.id)) this.tell(tx, { ...reminder, ...text });
    }
  }

  /** Clients do not support changes to a reminder: they receive a deletion and a new one. */
  private tell(tx: Transaction, reminder: Reminder): void {
    const owner = Audience.of([reminder.userId]);
    tx.emit(reminderRemoved({ reminder_id: reminder.id }), owner);
    tx.emit(remindersAdded({ reminders: [reminderWire(reminder)] }), owner);
  }
}

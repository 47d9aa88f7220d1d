import { Injectable } from '@nestjs/common';
import {
  ExplanationRequired,
  MAX_DESCRIPTION_LENGTH,
  REPORT_TYPES,
  ReportsNotEnabled,
  type ReportTypeKey,
  reportTypeName,
} from '../message-changes.api';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { ChannelDirectory, type ChannelRecord } from '../../channels/channels.module';
import {
  channelNarrow,
  conversationNarrow,
  DirectConversationService,
  fenceAround,
  MessageAccess,
  MessageRendererService,
  MessageTextService,
  type ReadableMessage,
  silentMention,
  SystemMessageService,
  topicReference,
} from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, ActorTransactions } from '../../users/users.module';

type Message = ReadableMessage['message'];

/** The reason given in a report. */
interface Complaint {
  readonly type: ReportTypeKey;
  /** Markdown; empty if the type is sufficient. */
  readonly description: string;
}

/** The text of a report: its Markdown, and how readers see it. */
interface ReportText {
  readonly content: string;
  readonly rendered: Awaited<ReturnType<MessageRendererService['renderFor']>>;
}

/** How the text describes a message. */
interface Description {
  readonly kind: 'message' | 'direct message';
  /** The recipients, as continued in the header; empty if they are obvious. */
  readonly recipients: string;
  /** Markdown with a link to it. */
  readonly original: string;
}

/** Space reserved for the text around the reported content: the explanation, and fixed phrases. */
const AROUND = MAX_DESCRIPTION_LENGTH + 500;

const NOBODY: ReadonlySet<number> = new Set();

/** Composes the bot's message to the moderators about a reported message. */
@Injectable()
export class ReportTextService {
  constructor(
    private readonly conversations: DirectConversationService,
    private readonly channels: ChannelDirectory,
    private readonly accounts: AccountDirectory,
    private readonly renderer: MessageRendererService,
    private readonly texts: MessageTextService,
    private readonly config: Config,
  ) {}

  /** Renders a report. It refers only to what the reporter sees, and its mentions are silent. */
  async write(
    db: Queryable,
    reporter: Actor,
    message: Message,
    { type, description }: Complaint,
  ): Promise<ReportText> {
    const { kind, recipients, original } = await this.describe(db, reporter, message);
    const [by, author] = [this.mention(reporter.userId), this.mention(message.senderId)];
    const reason = `**${reportTypeName(type)}**. ${description}`;
    const quote = fenceAround(reason);
    const reported = this.texts.cutContent(message.content, AROUND);
    const spoiler = fenceAround(reported);
    const content = [
      `${by} reported a ${kind} sent by ${author}${recipients} at ${globalTime(message.sentAt)}.`,
      `${quote}quote`,
      reason,
      quote,
      '',
      `${spoiler} spoiler ${original}`,
      reported,
      spoiler,
    ].join('\n');
    const rendered = await this.renderer.renderFor(reporter, content);
    const calm = { mentionedUserIds: NOBODY, mentionedGroupIds: NOBODY };
    return { content, rendered: { ...rendered, ...calm, channelWildcard: false, topicWildcard: false } };
  }

  private async describe(db: Queryable, reporter: Actor, message: Message): Promise<Description> {
    const { id, channelId, conversationId, topicName, senderId } = message;
    const channel = channelId === null ? undefined : this.channels.byId(channelId);
    if (channel) {
      const topic = topicName ?? '';
      const url = this.urlOf(channelNarrow(channel, topic, { near: id }));
      const reference = topicReference({ channelName: channel.name, topic, messageId: id, url });
      return { kind: 'message', recipients: '', original: `Original message at ${reference}` };
    }
    const members = await this.conversations.membersOf(db, [conversationId ?? 0]);
    const memberIds = members.get(conversationId ?? 0) ?? [];
    const isObvious = memberIds.length <= 2 && senderId !== reporter.userId;
    return {
      kind: 'direct message',
      recipients: isObvious ? '' : ` to ${this.recipients(memberIds, senderId)}`,
      original: `[Original message](${this.urlOf(conversationNarrow(memberIds, id))})`,
    };
  }

  /** A message to oneself has its sender as its only recipient. */
  private recipients(memberIds: readonly number[], senderId: number): string {
    const others = memberIds.filter((userId) => userId !== senderId);
    const names = (others.length > 0 ? others : [senderId]).map((userId) => this.mention(userId));
    return new Intl.ListFormat('en').format(names.sort());
  }

  private mention(userId: number): string {
    return silentMention(this.accounts.existing(userId));
  }

  private urlOf(narrow: string): string {
    return new URL(narrow, this.config.externalUrl).href;
  }
}

/** Markup that each reader sees in their own time zone. @param seconds UNIX seconds */
function globalTime(seconds: number): string {
  return `<time:${new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')}>`;
}

/** A message report. */
interface Report extends Complaint {
  readonly messageId: number;
}

/**
 * Posts message reports in the organization's channel for them. Reporters need no access to that channel, and get no
 * feedback.
 */
@Injectable()
export class ReportsService {
  constructor(
    private readonly database: Database,
    private readonly transactions: ActorTransactions,
    private readonly organization: OrganizationDirectory,
    private readonly channels: ChannelDirectory,
    private readonly accounts: AccountDirectory,
    private readonly access: MessageAccess,
    private readonly texts: ReportTextService,
    private readonly topics: MessageTextService,
    private readonly notices: SystemMessageService,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('realm', () => ({ server_report_message_types: REPORT_TYPES })),
    );
  }

  /**
   * Clients rely on the order of the checks.
   * @throws ExplanationRequired, ReportsNotEnabled, InvalidMessage
   */
  async report(actor: Actor, { messageId, ...complaint }: Report): Promise<void> {
    if (complaint.type === 'other' && complaint.description === '') throw new ExplanationRequired();
    this.channel();
    const { message } = await this.access.forReading(this.database.read, actor, messageId);
    const text = await this.texts.write(this.database.read, actor, message, complaint);
    await this.transactions.runExclusive(actor, async (tx) => {
      const target = this.targetFor(message.senderId);
      await this.notices.sendToChannel(tx, 'notification-bot', target, text);
    });
  }

  /** Reports of one person's messages share a topic. */
  private targetFor(senderId: number) {
    const channel = this.channel();
    if (channel.topicsPolicy === 'empty_topic_only') return { channel, topic: '' };
    return { channel, topic: this.topics.topic(`${this.accounts.existing(senderId).fullName} moderation`) };
  }

  /** @throws ReportsNotEnabled */
  private channel(): ChannelRecord {
    const channel = this.channels.byId(this.organization.settings.moderation_request_channel_id);
    if (!channel || channel.isArchived) throw new ReportsNotEnabled();
    return channel;
  }
}

import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import {
  ChannelAccess,
  ChannelDirectory,
  type ChannelRecord,
  PostingAccess,
  TopicRowsService,
} from '../../channels/channels.module';
import { AccountDirectory, type AccountRecord, UserAccess, UserVisibility } from '../../users/users.module';
import { BotOwnerNoticeService } from './system-message.service';
import { MessageTextService } from './message-text.service';
import {
  ChannelIdUnknown,
  ChannelNameUnknown,
  DirectMessagesDisabled,
  InvalidRecipientEmail,
  InvalidRecipientId,
  MayNotStartConversation,
  MissingChannel,
  MissingRecipients,
  NobodyMayAuthorize,
  RecipientDeactivated,
  RecipientNotVisible,
} from '../store/message-records.api';
import type { Queryable } from '../../../platform/sql/queryable';
import { PermissionService } from '../../user-groups/user-groups.module';
import { DirectConversationService } from '../store/direct-conversation.service';
import { BadRequest, BeyondChannels } from '../../../platform/errors/shared.errors';

/** A channel, and a topic in it, to which the sender may send. */
export interface SendingTarget {
  readonly channel: ChannelRecord;
  /** Normalized. */
  readonly topic: string;
}

/** Resolves the destination of a channel message and checks that the sender may send there. */
@Injectable()
export class ChannelTargetService {
  constructor(
    private readonly database: Database,
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly posting: PostingAccess,
    private readonly texts: MessageTextService,
    private readonly accounts: AccountDirectory,
    private readonly ownerNotices: BotOwnerNoticeService,
    private readonly topics: TopicRowsService,
  ) {}

  /**
   * The name or ID of the channel in a request, or the default channel of a bot.
   * @throws MissingChannel, BadRequest
   */
  address(actor: Actor, to: string | undefined): string | number {
    if (to !== undefined) return parseChannelAddress(to);
    const channelId = this.accounts.byId(actor.userId)?.defaultSendingChannelId;
    if (typeof channelId !== 'number') throw new MissingChannel();
    return channelId;
  }

  /**
   * @param address name or ID of the channel
   * @throws ChannelNameUnknown, ChannelIdUnknown and the errors of PostingAccess
   */
  async find(actor: Actor, address: string | number, topic: string): Promise<SendingTarget> {
    const channel = await this.channel(actor, address);
    this.posting.checkMayPost(actor, channel);
    const name = this.texts.topic(topic);
    const exists = () => this.topics.exists(this.database.read, channel.id, name);
    await this.posting.checkTopic(actor, channel, { name, exists });
    return { channel, topic: name };
  }

  /** Checks again that the channel is available to the sender, who may have lost it since {@link find}. */
  findAgain(actor: Actor, target: SendingTarget): ChannelRecord {
    const channel = this.channels.byId(target.channel.id);
    if (!channel) throw new ChannelIdUnknown(target.channel.id);
    this.posting.checkMayPost(actor, channel);
    return channel;
  }

  private async channel(actor: Actor, address: string | number): Promise<ChannelRecord> {
    const channel = this.known(actor, address);
    if (actor.isBot) await this.ownerNotices.tellAboutChannel(actor, address, channel);
    if (channel) return channel;
    throw typeof address === 'number' ? new ChannelIdUnknown(address) : new ChannelNameUnknown(address);
  }

  /** A channel is known only to users who see it or may post in it. */
  private known(actor: Actor, address: string | number): ChannelRecord | undefined {
    const channel = typeof address === 'number' ? this.channels.byId(address) : this.channels.byName(address);
    if (!channel || this.posting.mayPost(actor, channel)) return channel;
    return this.access.hasMetadataAccess(actor, channel) ? channel : undefined;
  }
}

/** Finds the recipients of a direct message and decides whether it may be sent. */
@Injectable()
export class DirectMessageAccess {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
    private readonly visibility: UserVisibility,
    private readonly permissions: PermissionService,
    private readonly conversations: DirectConversationService,
  ) {}

  /** The people named in a request; may be empty. @throws BadRequest */
  named(to: string | undefined): NamedPeople {
    return to === undefined ? { userIds: [] } : parseDirectAddress(to);
  }

  /** @throws MissingRecipients, InvalidRecipientEmail, InvalidRecipientId */
  recipients(actor: Actor, named: NamedPeople): AccountRecord[] {
    if ('emails' in named) {
      if (named.emails.length === 0) throw new MissingRecipients();
      return named.emails.map((email) => {
        const account = this.access.byVisibleEmail(actor, email);
        if (!account) throw new InvalidRecipientEmail(email);
        return account;
      });
    }
    if (named.userIds.length === 0) throw new MissingRecipients();
    return named.userIds.map((userId) => {
      const account = this.accounts.byId(userId);
      if (!account) throw new InvalidRecipientId(userId);
      return account;
    });
  }

  /**
   * Checks that the actor may address these people. @throws BeyondChannels, RecipientNotVisible, RecipientDeactivated
   */
  async checkReachable(db: Queryable, actor: Actor, recipients: AccountRecord[]): Promise<void> {
    if (actor.limit?.channelIds) throw new BeyondChannels();
    const visible = await this.visibility.visible(db, actor, recipients);
    if (visible.length < recipients.length) throw new RecipientNotVisible();
    const gone = recipients.find((account) => !account.isActive);
    if (gone) throw new RecipientDeactivated(this.accounts.apiEmail(gone));
  }

  /**
   * @param recipients may include the sender
   * @returns all participants of the conversation, ascending
   * @throws RecipientNotVisible, RecipientDeactivated and the refusals of the two settings
   */
  async checkMaySend(db: Queryable, actor: Actor, recipients: AccountRecord[]): Promise<number[]> {
    await this.checkReachable(db, actor, recipients);
    const memberIds = [...new Set([actor.userId, ...recipients.map((account) => account.id)])];
    memberIds.sort((a, b) => a - b);
    const others = recipients.filter((account) => account.id !== actor.userId);
    const isExempt = actor.isBot || others.every((account) => account.isBot);
    if (!isExempt) await this.checkSettings(db, actor, memberIds);
    return memberIds;
  }

  private async checkSettings(db: Queryable, actor: Actor, memberIds: readonly number[]): Promise<void> {
    const setting = 'direct_message_permission_group';
    if (this.permissions.isHeldByNobody(setting)) throw new DirectMessagesDisabled();
    const members = memberIds.flatMap((id) => this.accounts.byId(id) ?? []);
    const mayAuthorize = ({ id, role }: AccountRecord) =>
      this.permissions.allowsInOrganization({ userId: id, role }, setting);
    if (!members.some(mayAuthorize)) throw new NobodyMayAuthorize();

    if (this.permissions.allowsInOrganization(actor, 'direct_message_initiator_group')) return;
    const conversation = await this.conversations.find(db, memberIds);
    if (conversation?.newestMessageId == null) throw new MayNotStartConversation();
  }
}

/** People named by their addresses or by their IDs, without duplicates. */
export type NamedPeople = { readonly emails: readonly string[] } | { readonly userIds: readonly number[] };

/**
 * Parses `to` of a channel message: a raw or JSON-quoted name, an ID, or a list of exactly one of these. So a channel
 * whose name is a number can only be named in JSON quotes.
 * @returns a name or an ID
 */
export function parseChannelAddress(to: string): string | number {
  let value = jsonOr(to, to);
  if (Array.isArray(value)) {
    if (value.length !== 1) throw new BadRequest('Expected exactly one channel');
    value = value[0];
  }
  if (typeof value === 'string') return value.toWellFormed();
  if (isInteger(value)) return value;
  throw new BadRequest('Invalid data type for channel');
}

/**
 * Parses `to` of a direct message: a list of IDs, a list of addresses, or comma-separated addresses, raw or
 * JSON-quoted.
 */
export function parseDirectAddress(to: string): NamedPeople {
  const value = jsonOr(to, to);
  const list = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(list)) throw new BadRequest('Invalid data type for recipients');
  const [first] = list as unknown[];
  if (typeof first === 'string') return { emails: distinctEmails(list) };
  if (first === undefined || isInteger(first)) return { userIds: distinctIds(list) };
  throw new BadRequest('Invalid data type for recipients');
}

function distinctEmails(list: readonly unknown[]): string[] {
  if (!list.every((item) => typeof item === 'string')) throw mixed();
  const emails = list.map((email) => email.trim().toWellFormed()).filter((email) => email !== '');
  return [...new Set(emails)];
}

function distinctIds(list: readonly unknown[]): number[] {
  if (!list.every(isInteger)) throw mixed();
  return [...new Set(list)];
}

function mixed(): BadRequest {
  return new BadRequest('Recipient lists may contain emails or user IDs, but not both.');
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

function jsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}

import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ReadRepository } from '../../../platform/database/read-source';
import type { Actor } from '../../../platform/actor';
import { Config } from '../../../platform/config/config';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { InsufficientPermission } from '../../../platform/errors/shared.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  AccountDirectory,
  type AccountRecord,
  actorOf,
  personalDataRemoved,
  UserAccess,
} from '../../users/users.module';
import { ChannelAccess } from '../access/channel.access';
import { UnknownEmailSender } from './administration.api';
import { PostingAccess } from '../access/participation.access';
import { ChannelDirectory, type ChannelRecord } from '../store/channel.directory';
import { ChannelEmailAddress } from '../store/channel.entity';

/** Local part of the system bot that posts mail unless the request names another sender. */
const GATEWAY = 'emailgateway';

const TOKEN_BYTES = 16;

/** The channel and accounts that belong to an address. */
export interface MailDestination {
  readonly channel: ChannelRecord;
  /** The person who created the address. */
  readonly creator: Actor;
  /** The account whose permissions are checked: the creator for the gateway bot, which may do more. */
  readonly judged: Actor;
  /**
   * The account that posts. The gateway bot has the creator as its owner, since bots have their owner's permissions as
   * well.
   */
  readonly sender: Actor;
}

/**
 * Issues the email addresses of channels. There is one per caller and sender, which cannot be guessed and stays the
 * same; the name of the channel in it has no function.
 */
@Injectable()
export class ChannelEmailService {
  constructor(
    private readonly config: Config,
    @InjectRepository(ChannelEmailAddress) private readonly addresses: ReadRepository<ChannelEmailAddress>,
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly access: ChannelAccess,
    private readonly posting: PostingAccess,
    private readonly channels: ChannelDirectory,
    private readonly users: UserAccess,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, (tx, userId) => this.removeAll(tx, userId));
  }

  /**
   * @param senderId the account that posts the mail; the gateway bot by default
   * @throws InvalidChannelId, MayNotPostInChannel, NotAuthorizedToSend, UnknownEmailSender, InsufficientPermission
   */
  async addressOf(actor: Actor, channelId: number, senderId?: number): Promise<string> {
    const channel = this.access.forMetadata(actor, channelId);
    this.posting.checkMayPost(actor, channel);
    const sender = senderId === undefined ? this.gatewayBot() : this.sender(actor, senderId);
    const key = { channelId: channel.id, userId: actor.userId, senderId: sender.id };
    const token = (await this.find(key)) ?? (await this.create(key));
    const slug = emailSlug(channel.name);
    return this.config.gatewayAddress(`${slug === null ? '' : `${slug}.`}${token}.show-sender`);
  }

  /**
   * The destination and sender of mail to an address. The sender needs permission to post; for the gateway bot, the
   * creator of the address does.
   * @returns null for an address that does not exist
   * @throws ApiError if mail may no longer be posted there
   */
  async destinationOf(token: string): Promise<MailDestination | null> {
    const address = await this.addresses.findOneBy({ token });
    const creator = address && this.accounts.byId(address.userId);
    const channel = address && this.channels.byId(address.channelId);
    if (!address || !creator || !channel) return null;
    const owner = this.users.current(actorOf(creator));
    const sender = this.sender(owner, address.senderId);
    const actor = this.users.current(
      sender.isSystemBot ? { ...actorOf(sender), ownerId: creator.id } : actorOf(sender),
    );
    const judged = sender.isSystemBot ? owner : actor;
    this.posting.checkMayPost(judged, channel);
    return { channel, creator: owner, judged, sender: actor };
  }

  /** The caller, the gateway bot, or one of the caller's bots; no other account, not even for administrators. */
  private sender(actor: Actor, senderId: number): AccountRecord {
    const sender = this.accounts.byId(senderId);
    if (sender && (sender.id === actor.userId || sender.id === this.gatewayBot().id)) return sender;
    if (!sender?.isBot || sender.isSystemBot) throw new UnknownEmailSender();
    if (sender.botOwnerId !== actor.userId) throw new InsufficientPermission();
    return sender;
  }

  private gatewayBot(): AccountRecord {
    const bot = this.accounts.systemBots().find(({ emailKey }) => emailKey.startsWith(`${GATEWAY}@`));
    if (!bot) throw new Error('The email gateway bot does not exist.');
    return bot;
  }

  private async find(key: AddressKey): Promise<string | undefined> {
    const address = await this.addresses.findOneBy(key);
    return address?.token;
  }

  /** Of two concurrent requests, both receive the token of the first. */
  private create(key: AddressKey): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    return this.transactions.run(async (tx) => {
      const row = await tx.queryOne<Pick<ChannelEmailAddress, 'token'>>(
        `INSERT INTO channel_email_address (token, channel_id, user_id, sender_id) VALUES (?, ?, ?, ?)
         ON CONFLICT (channel_id, user_id, sender_id) DO UPDATE SET token = channel_email_address.token
         RETURNING token`,
        [token, key.channelId, key.userId, key.senderId],
      );
      return row.token;
    });
  }

  /** Deletes the addresses that a deleted person created, and those whose mail they post. */
  private async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.repository(ChannelEmailAddress).delete([{ userId }, { senderId: userId }]);
  }
}

/** The key that identifies an address. */
type AddressKey = Pick<ChannelEmailAddress, 'channelId' | 'userId' | 'senderId'>;

/**
 * The readable part of a channel's email address: its name in lower-case ASCII, with a dash for each run of characters
 * other than letters, digits and underscores.
 * @returns null for a name that loses letters or ends in a dash; the address then has no readable part
 */
export function emailSlug(channelName: string): string | null {
  const words = channelName.normalize('NFKC').replace(/[^\p{L}\p{N}_]+/gu, '-');
  const ascii = words.normalize('NFKD').replace(/[^\w-]+/g, '');
  const slug = ascii.toLowerCase().replace(/^[-_]+|[-_]+$/g, '');
  return slug !== '' && slug.length === [...words].length ? slug : null;
}

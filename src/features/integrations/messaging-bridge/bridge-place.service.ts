import { Injectable, Logger } from '@nestjs/common';
import { isAdministrator, isOwner } from '../../../platform/actor';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { ApiError } from '../../../platform/errors/api-error';
import { readState, writeState } from '../../../platform/database/server-state';
import { TransactionService } from '../../../platform/database/transaction.service';
import {
  ChannelDirectory,
  type ChannelRecord,
  DEFAULT_CHANNEL_OPTIONS,
  SubscribeService,
} from '../../channels/channels.module';
import { AccountDirectory, actorOf } from '../../users/users.module';
import { BridgeChannelUnusable } from './messaging.api';

const DESCRIPTION =
  'Messages from people outside, each of whom has a topic. What is written there is sent to them.';

/** State key: name in the setting and ID of its channel, so that the channel can be renamed. */
const STATE_KEY = 'messaging_channel';

/** Provides the channel for messages from outside, and creates it on first use. */
@Injectable()
export class BridgePlaceService {
  private readonly logger = new Logger('MessagingBridge');

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscribeService,
  ) {}

  /** @throws BridgeChannelUnusable */
  async prepare(): Promise<ChannelRecord> {
    const channel = (await this.found()) ?? (await this.made());
    const fault = this.faultOf(channel);
    if (fault === null) return channel;
    this.logger.warn(`Cannot accept incoming messages: ${fault}`);
    throw new BridgeChannelUnusable(fault);
  }

  /** Why no topic can be started in a channel; null if one can. */
  faultOf({ name, isArchived, topicsPolicy }: ChannelRecord): string | null {
    if (isArchived) return `the channel "${name}" is archived`;
    if (topicsPolicy === 'empty_topic_only') return `the channel "${name}" has no topics`;
    return null;
  }

  /** The channel that the setting referred to before, even if renamed; otherwise the channel with that name. */
  private async found(): Promise<ChannelRecord | undefined> {
    const remembered = await this.remembered();
    const known = remembered === null ? undefined : this.channels.byId(remembered);
    if (known && !known.isArchived) return known;
    const named = this.channels.byName(this.config.webhookChannel);
    if (named && named !== known) await this.remember(named.id);
    return named ?? known;
  }

  /** Creates a private channel for the administrators, because not everyone should see messages from strangers. */
  private async made(): Promise<ChannelRecord> {
    const people = this.accounts
      .all()
      .filter((account) => account.isActive && !account.isBot && isAdministrator(account))
      .sort((a, b) => a.id - b.id);
    const owner = people.find(isOwner);
    if (!owner) throw new BridgeChannelUnusable('the organization has no owner');
    try {
      await this.subscriptions.subscribe(actorOf(owner), {
        channels: [{ name: this.config.webhookChannel, description: DESCRIPTION }],
        options: { ...DEFAULT_CHANNEL_OPTIONS, isPrivate: true, isHistoryPublicToSubscribers: true },
        principals: people.map(({ id }) => id),
        announce: false,
        isAuthorizationFatal: true,
        sendMessages: false,
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new BridgeChannelUnusable(`cannot create the channel: ${error.message}`);
    }
    const channel = this.channels.byName(this.config.webhookChannel);
    if (!channel) throw new BridgeChannelUnusable('the channel no longer exists');
    await this.remember(channel.id);
    return channel;
  }

  private async remembered(): Promise<number | null> {
    const place = await readState(this.database.read, STATE_KEY);
    if (place === null) return null;
    const { name, id } = JSON.parse(place) as { name: string; id: number };
    return name === this.config.webhookChannel ? id : null;
  }

  private async remember(id: number): Promise<void> {
    const value = JSON.stringify({ name: this.config.webhookChannel, id });
    await this.transactions.run((tx) => writeState(tx, STATE_KEY, value));
  }
}

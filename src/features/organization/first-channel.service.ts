import { Injectable } from '@nestjs/common';
import { TransactionService } from '../../platform/database/transaction.service';
import { ChannelDirectory, DEFAULT_CHANNEL_OPTIONS, SubscribeService } from '../channels/channels.module';
import { SystemMessageService } from '../messages/messages.module';
import { type AccountRecord, actorOf } from '../users/users.module';

const NAME = 'general';
const DESCRIPTION = 'For everything that doesn’t have its own channel yet.';
const TOPIC = 'welcome';
const WELCOME = [
  'Welcome! Everyone starts in this channel.',
  '',
  '* A **channel** groups related conversations. Subscribe to an unused name to create one.',
  '* A **topic** is one conversation in a channel. This topic is *welcome*.',
  '* A **bot** is an account for a program. It uses its own API key to read and write messages like any user.',
].join('\n');

/** Creates the first channel, with a welcome message. */
@Injectable()
export class FirstChannelService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscribeService,
    private readonly messages: SystemMessageService,
  ) {}

  /** Idempotent: completes what an interrupted start left incomplete. */
  async create(owner: AccountRecord): Promise<void> {
    await this.subscriptions.subscribe(actorOf(owner), {
      channels: [{ name: NAME, description: DESCRIPTION }],
      options: { ...DEFAULT_CHANNEL_OPTIONS, isDefault: true },
      principals: [],
      announce: false,
      isAuthorizationFatal: true,
      sendMessages: false,
    });
    await this.transactions.runExclusive(async (tx) => {
      const channel = this.channels.byName(NAME);
      if (!channel || channel.firstMessageId !== null) return;
      await this.messages.sendToChannel(tx, 'welcome-bot', { channel, topic: TOPIC }, { content: WELCOME });
    });
  }
}

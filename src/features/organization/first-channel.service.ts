import { Injectable } from '@nestjs/common';
import { TransactionService } from '../../platform/database/transaction.service';
import { ChannelDirectory, DEFAULT_CHANNEL_OPTIONS, SubscribeService } from '../channels/channels.module';
import { SystemMessageService } from '../messages/messages.module';
import { type AccountRecord, actorOf } from '../users/users.module';

const NAME = 'general';
const DESCRIPTION = 'For everything that has no channel of its own yet.';
const TOPIC = 'welcome';
const WELCOME = [
  'Welcome! This channel is where everybody starts.',
  '',
  '* A **channel** holds conversations that belong together. Subscribing to a name nobody uses yet makes one.',
  '* A **topic** is one conversation in a channel. This one is called *welcome*.',
  '* A **bot** is an account for a program: it signs in with its own API key and reads and writes as people do.',
].join('\n');

/** Makes the channel that everybody starts in, with a message that waits there. */
@Injectable()
export class FirstChannelService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscribeService,
    private readonly messages: SystemMessageService,
  ) {}

  /** Does what an earlier start left undone; with everything in place, nothing. */
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

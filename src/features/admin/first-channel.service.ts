import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { DEFAULT_CHANNEL_OPTIONS } from '../channels/channel-options';
import { SubscribeService } from '../channels/subscribe.service';
import type { AccountRecord } from '../users/account.directory';

const NAME = 'general';
const DESCRIPTION = 'For everything that has no channel of its own yet.';

/** Makes the channel that everybody starts in. */
@Injectable()
export class FirstChannelService {
  constructor(private readonly subscriptions: SubscribeService) {}

  /** Makes the channel where there is none of its name yet, and subscribes the owner. */
  async create(owner: AccountRecord): Promise<void> {
    await this.subscriptions.subscribe(actorOf(owner), {
      channels: [{ name: NAME, description: DESCRIPTION }],
      options: { ...DEFAULT_CHANNEL_OPTIONS, isDefault: true },
      principals: [],
      announce: false,
      isAuthorizationFatal: true,
      sendMessages: false,
    });
  }
}

function actorOf(owner: AccountRecord): Actor {
  return {
    userId: owner.id,
    role: owner.role,
    isBot: false,
    botType: null,
    ownerId: null,
    clientName: 'Internal',
  };
}

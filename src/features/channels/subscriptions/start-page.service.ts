import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import { type StartPage, startPagePort } from '../../users/users.module';
import { ChannelDirectory } from '../store/channel.directory';
import { SubscriptionDirectory } from '../store/subscription.directory';

/** New people begin in the oldest default channel that they are subscribed to, which is #general on a new server. */
@Injectable()
export class StartPageService implements StartPage {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    hooks: Hooks,
  ) {
    hooks.provide(startPagePort, this);
  }

  /** The oldest channel of any kind for people without a default channel, and `/` without a channel. */
  pathFor(userId: number): string {
    const own = [...this.subscriptions.channelsOf(userId)].sort((a, b) => a - b);
    const open = own.flatMap((id) => this.channels.byId(id) ?? []).filter((each) => !each.isArchived);
    const first = open.find(({ isDefault }) => isDefault) ?? open[0];
    return first ? `/#narrow/channel/${first.id}` : '/';
  }
}

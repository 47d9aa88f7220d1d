import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import { type StartPage, startPagePort } from '../../users/users.module';
import { ChannelDirectory } from '../store/channel.directory';
import { SubscriptionDirectory } from '../store/subscription.directory';

/** New users start in their oldest default channel, #general on a new server. */
@Injectable()
export class StartPageService implements StartPage {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    hooks: Hooks,
  ) {
    hooks.provide(startPagePort, this);
  }

  /** Falls back to the user's oldest channel, then to `/`. */
  pathFor(userId: number): string {
    const own = [...this.subscriptions.channelsOf(userId)].sort((a, b) => a - b);
    const open = own.flatMap((id) => this.channels.byId(id) ?? []).filter((each) => !each.isArchived);
    const first = open.find(({ isDefault }) => isDefault) ?? open[0];
    return first ? `/#narrow/channel/${first.id}` : '/';
  }
}

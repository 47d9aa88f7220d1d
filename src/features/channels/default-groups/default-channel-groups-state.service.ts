import { Injectable } from '@nestjs/common';
import { isGuest } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { type ChannelChanged, channelChanged } from '../channels.hooks';
import { ChannelDirectory, compareCodePoints } from '../store/channel.directory';
import { AccountDirectory } from '../../users/users.module';
import { storedGroups } from './default-channel-group-rows';
import { DefaultChannelGroupChannel } from './default-channel-group.entity';
import {
  defaultChannelGroupsReplaced,
  defaultChannelGroupsState,
  defaultChannelGroupWire,
  type DefaultChannelGroupWire,
} from './default-channel-groups.api';

/** What clients know of the groups, and what becomes of groups when a channel changes. Guests know of none. */
@Injectable()
export class DefaultChannelGroupsStateService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly accounts: AccountDirectory,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('default_stream_groups', async (db, { reader }) =>
        defaultChannelGroupsState(reader && !isGuest(reader) ? await this.list(db) : []),
      ),
    );
    hooks.on(channelChanged, (tx, change) => this.follow(tx, change));
  }

  /** All groups with their channels, sorted by name. */
  async list(db: Queryable): Promise<DefaultChannelGroupWire[]> {
    const groups = await storedGroups(db);
    return groups.map((group) => defaultChannelGroupWire(group, this.channels.all()));
  }

  /** Tells everybody who knows of groups what there is now. */
  async emit(tx: Transaction): Promise<void> {
    tx.emit(defaultChannelGroupsReplaced(await this.list(tx)), this.accounts.members);
  }

  /** A channel that is archived or private now leaves its groups; another name puts it in another place there. */
  private async follow(tx: Transaction, change: ChannelChanged): Promise<void> {
    const { before, after } = { before: change.before.channel, after: change.after.channel };
    const leaves = (after.isArchived && !before.isArchived) || (after.isPrivate && !before.isPrivate);
    if (!leaves && after.name === before.name) return;
    const old = await this.list(tx);
    if (leaves) await tx.repository(DefaultChannelGroupChannel).delete({ channelId: after.id });
    const channels = this.channels.all().map((channel) => (channel.id === after.id ? after : channel));
    channels.sort((a, b) => compareCodePoints(a.name, b.name));
    const groups = (await storedGroups(tx)).map((group) => defaultChannelGroupWire(group, channels));
    if (JSON.stringify(groups) === JSON.stringify(old)) return;
    tx.emit(defaultChannelGroupsReplaced(groups), this.accounts.members);
  }
}

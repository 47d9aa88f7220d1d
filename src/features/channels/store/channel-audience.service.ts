import { Injectable } from '@nestjs/common';
import { Audience } from '../../../platform/events/audience';
import { GroupDirectory, type GroupSettingValue } from '../../user-groups/user-groups.module';
import { AccountDirectory } from '../../users/users.module';
import type { ChannelRecord } from './channel.directory';
import { METADATA_SETTINGS } from './channel-group-settings';
import { ChannelSettingsService } from './channel-settings.service';
import type { ChannelSettingValues } from './channel-records.api';
import { SubscriptionDirectory } from './subscription.directory';

/** Says who hears of changes of a channel: the active accounts that have metadata access to it. */
@Injectable()
export class ChannelAudienceService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly groups: GroupDirectory,
    private readonly settings: ChannelSettingsService,
    private readonly subscriptions: SubscriptionDirectory,
  ) {}

  /** Everybody who sees the channel now. */
  viewersOf(channel: ChannelRecord): Audience {
    return this.viewers(
      channel,
      this.settings.valuesOf(channel),
      this.subscriptions.subscribersOf(channel.id),
    );
  }

  /**
   * Everybody who sees a channel with the given permissions and subscribers. For public channels without
   * guests it is the same object each time, which makes the event cheap to store.
   */
  viewers(
    channel: Pick<ChannelRecord, 'isPrivate' | 'isWebPublic'>,
    values: ChannelSettingValues,
    subscribers: Audience,
  ): Audience {
    if (channel.isWebPublic) return this.accounts.active;
    if (!channel.isPrivate) return this.accounts.members.union(this.guestsIn(subscribers));
    return subscribers.union(this.accounts.administrators, this.holders(values));
  }

  private guestsIn(subscribers: Audience): Audience {
    const { active, members } = this.accounts;
    if (active.size === members.size) return Audience.none;
    return Audience.of(subscribers.ids().filter((id) => active.has(id) && !members.has(id)));
  }

  /** Guests hold none of these permissions. */
  private holders(values: ChannelSettingValues): Audience {
    const found = new Set<number>();
    for (const setting of METADATA_SETTINGS) {
      for (const userId of this.membersOf(values[setting])) {
        if (this.accounts.members.has(userId)) found.add(userId);
      }
    }
    return Audience.of(found);
  }

  private *membersOf(value: GroupSettingValue): Generator<number> {
    if (typeof value === 'number') {
      yield* this.groups.membersOf(value);
      return;
    }
    yield* value.direct_members;
    for (const groupId of value.direct_subgroups) yield* this.groups.membersOf(groupId);
  }
}

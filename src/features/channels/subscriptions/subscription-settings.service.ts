import { Injectable } from '@nestjs/common';
import { BOOLEAN_COLUMNS, type SettingChange } from './personal-settings';
import type { Actor } from '../../../platform/actor';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import type { EmitOptions } from '../../../platform/events/server-event';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  AccountDirectory,
  personalSetting,
  type PersonalSettings,
  type StartPage,
  startPagePort,
} from '../../users/users.module';
import { ChannelAccess } from '../access/channel.access';
import {
  FOR_ARCHIVED_CHANNELS,
  type PersonalSettingsWire,
  subscriptionUpdated,
} from '../store/channel-records.api';
import { ChannelDirectory, SubscriptionDirectory } from '../store/channel.directory';
import { NotSubscribed } from '../store/channels.api';

/** Changes people's personal settings for channels. */
@Injectable()
export class SubscriptionSettingsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly access: ChannelAccess,
  ) {}

  /**
   * Makes all changes in order or, on any error, none. Writes and emits equal values as well.
   * @throws InvalidChannelId, NotSubscribed
   */
  async change(actor: Actor, changes: readonly SettingChange[]): Promise<void> {
    const receiver = Audience.of([actor.userId]);
    await this.transactions.run(async (tx) => {
      for (const change of changes) await this.apply(tx, actor, receiver, change);
    });
  }

  private async apply(
    tx: Transaction,
    actor: Actor,
    receiver: Audience,
    change: SettingChange,
  ): Promise<void> {
    const { channelId, property, value } = change;
    const channel = this.access.forContent(actor, channelId, { archived: true });
    const options: EmitOptions = channel.isArchived ? FOR_ARCHIVED_CHANNELS : {};
    const column = property === 'color' ? property : BOOLEAN_COLUMNS[property];
    const stored = property === 'in_home_view' ? !value : value;
    const rows = await tx.query(
      `UPDATE subscription SET ${column} = ? WHERE user_id = ? AND channel_id = ? AND is_active = ? RETURNING id`,
      [stored, actor.userId, channelId, true],
    );
    if (rows.length === 0) throw new NotSubscribed(channelId);
    if (column === 'is_muted') {
      tx.emit(subscriptionUpdated(channelId, 'in_home_view', !stored), receiver, options);
      tx.emit(subscriptionUpdated(channelId, 'is_muted', stored), receiver, options);
    } else {
      tx.emit(subscriptionUpdated(channelId, property, value), receiver, options);
    }
  }
}

/** The capability of clients that support null settings; others receive the effective value. */
export const NULL_NOTIFICATIONS = 'notification_settings_null';

/** The account settings that apply if a subscription has none. Wildcard mentions stay null, as in Zulip. */
const ACCOUNT_SETTINGS = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
} as const satisfies Partial<Record<keyof PersonalSettingsWire, keyof PersonalSettings>>;

/** Fills in the effective notification settings of subscriptions. */
@Injectable()
export class NotificationDefaultsService {
  constructor(private readonly accounts: AccountDirectory) {}

  /** A copy of a subscription record, or of its personal part, without null settings. */
  fillIn<Wire extends object>(userId: number, subscription: Wire): Wire {
    const chosen = this.accounts.byId(userId)?.settings ?? {};
    const filled = { ...subscription } as Record<string, unknown>;
    for (const [key, setting] of Object.entries(ACCOUNT_SETTINGS)) {
      filled[key] ??= personalSetting(chosen, setting);
    }
    return filled as Wire;
  }
}

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

import { Injectable } from '@nestjs/common';
import { AccountDirectory, personalSetting, type PersonalSettings } from '../../users/users.module';
import type { PersonalSettingsWire } from '../store/channel-records.api';

/** A client that does not declare this wants to know what holds where a subscription says nothing. */
export const NULL_NOTIFICATIONS = 'notification_settings_null';

/** The account's own setting that holds where a subscription says nothing. Wildcard mentions are left open, as by Zulip. */
const ACCOUNT_SETTINGS = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
} as const satisfies Partial<Record<keyof PersonalSettingsWire, keyof PersonalSettings>>;

/** Says of subscriptions what holds where they say nothing about notifications. */
@Injectable()
export class NotificationDefaultsService {
  constructor(private readonly accounts: AccountDirectory) {}

  /** A copy of a subscription record, or of its personal part, with nothing left open. */
  fillIn<Wire extends object>(userId: number, subscription: Wire): Wire {
    const chosen = this.accounts.byId(userId)?.settings ?? {};
    const filled = { ...subscription } as Record<string, unknown>;
    for (const [key, setting] of Object.entries(ACCOUNT_SETTINGS)) {
      filled[key] ??= personalSetting(chosen, setting);
    }
    return filled as Wire;
  }
}

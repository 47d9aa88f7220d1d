import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { AddSubscribersService, ChannelDirectory } from '../channels';
import { OrganizationDirectory } from '../organization-settings';

/** What the organization gives everybody to begin with. */
@Injectable()
export class NewcomerDefaults {
  constructor(
    private readonly organization: OrganizationDirectory,
    private readonly channels: ChannelDirectory,
    private readonly subscribers: AddSubscribersService,
  ) {}

  /** Personal settings that differ from their initial values. */
  settings(): Record<string, unknown> {
    const { default_language: language } = this.organization.settings;
    return language === 'en' ? {} : { default_language: language };
  }

  /** Subscribes somebody to all default channels. */
  async subscribe(tx: Transaction, userId: number): Promise<void> {
    const additions = this.channels
      .all()
      .filter((channel) => channel.isDefault && !channel.isArchived)
      .map((channel) => ({ channel, userIds: [userId] }));
    await this.subscribers.add(tx, additions);
  }
}

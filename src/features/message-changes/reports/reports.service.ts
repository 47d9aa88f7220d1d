import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Database } from '../../../platform/database/database.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { ChannelDirectory, type ChannelRecord } from '../../channels/channels.module';
import { MessageAccess, MessageTextService, SystemMessageService } from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, ActorTransactions } from '../../users/users.module';
import { type Complaint, ReportTextService } from './report-text.service';
import { ExplanationRequired, ReportsNotEnabled, REPORT_TYPES } from './reports.api';

/** A message report. */
export interface Report extends Complaint {
  readonly messageId: number;
}

/**
 * Posts message reports in the organization's channel for them. Reporters need no access to that channel, and get no
 * feedback.
 */
@Injectable()
export class ReportsService {
  constructor(
    private readonly database: Database,
    private readonly transactions: ActorTransactions,
    private readonly organization: OrganizationDirectory,
    private readonly channels: ChannelDirectory,
    private readonly accounts: AccountDirectory,
    private readonly access: MessageAccess,
    private readonly texts: ReportTextService,
    private readonly topics: MessageTextService,
    private readonly notices: SystemMessageService,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('realm', () => ({ server_report_message_types: REPORT_TYPES })),
    );
  }

  /**
   * Clients rely on the order of the checks.
   * @throws ExplanationRequired, ReportsNotEnabled, InvalidMessage
   */
  async report(actor: Actor, { messageId, ...complaint }: Report): Promise<void> {
    if (complaint.type === 'other' && complaint.description === '') throw new ExplanationRequired();
    this.channel();
    const { message } = await this.access.forReading(this.database.read, actor, messageId);
    const text = await this.texts.write(this.database.read, actor, message, complaint);
    await this.transactions.runExclusive(actor, async (tx) => {
      const target = this.targetFor(message.senderId);
      await this.notices.sendToChannel(tx, 'notification-bot', target, text);
    });
  }

  /** Reports of one person's messages stand together. */
  private targetFor(senderId: number) {
    const channel = this.channel();
    if (channel.topicsPolicy === 'empty_topic_only') return { channel, topic: '' };
    return { channel, topic: this.topics.topic(`${this.accounts.existing(senderId).fullName} moderation`) };
  }

  /** @throws ReportsNotEnabled */
  private channel(): ChannelRecord {
    const channel = this.channels.byId(this.organization.settings.moderation_request_channel_id);
    if (!channel || channel.isArchived) throw new ReportsNotEnabled();
    return channel;
  }
}

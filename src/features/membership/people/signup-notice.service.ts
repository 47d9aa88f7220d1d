import { Injectable, Logger } from '@nestjs/common';
import { TransactionService } from '../../../platform/database/transaction.service';
import { ChannelDirectory } from '../../channels/channels.module';
import { silentMention, SystemMessageService } from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory } from '../../users/users.module';

const TOPIC = 'signups';

/** Posts that a person joined, in the channel that the organization chose for it. */
@Injectable()
export class SignupNoticeService {
  private readonly logger = new Logger(SignupNoticeService.name);

  constructor(
    private readonly transactions: TransactionService,
    private readonly organization: OrganizationDirectory,
    private readonly channels: ChannelDirectory,
    private readonly accounts: AccountDirectory,
    private readonly messages: SystemMessageService,
  ) {}

  /**
   * Call it after the account was committed, because only then can it be mentioned. The person has joined even if the
   * notice fails, so a failure is only logged.
   */
  async post(userId: number): Promise<void> {
    if (!this.channel) return;
    try {
      await this.transactions.runExclusive(async (tx) => {
        const { channel } = this;
        const newcomer = this.accounts.byId(userId);
        if (!channel || !newcomer) return;
        const content = `${silentMention(newcomer)} joined this organization.`;
        await this.messages.sendToChannel(tx, 'notification-bot', { channel, topic: TOPIC }, { content });
      });
    } catch (error) {
      this.logger.error(error);
    }
  }

  private get channel() {
    const channel = this.channels.byId(this.organization.settings.signup_announcements_channel_id);
    return channel?.isArchived ? undefined : channel;
  }
}

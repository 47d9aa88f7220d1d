import { Injectable, Logger } from '@nestjs/common';
import { TransactionService } from '../../../platform/database/transaction.service';
import { silentMention, SystemMessageService } from '../../messages/messages.module';
import { AccountDirectory } from '../../users/users.module';

/** Notifies inviters that an invitee has joined. */
@Injectable()
export class JoinNoticeService {
  private readonly logger = new Logger(JoinNoticeService.name);

  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly messages: SystemMessageService,
  ) {}

  /** Once the account was committed. The person has come even if this fails, so a failure is only logged. */
  async send(inviterId: number, newcomerId: number): Promise<void> {
    try {
      const newcomer = this.accounts.existing(newcomerId);
      const content = `${silentMention(newcomer)} accepted your invitation.`;
      await this.transactions.run(async (tx) => {
        if (!this.accounts.existing(inviterId).isActive) return;
        await this.messages.sendToPerson(tx, 'notification-bot', inviterId, { content });
      });
    } catch (error) {
      this.logger.error(error);
    }
  }
}

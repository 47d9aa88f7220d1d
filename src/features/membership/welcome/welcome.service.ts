import { Injectable, Logger } from '@nestjs/common';
import { type Actor, isAdministrator } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { BadRequest } from '../../../platform/errors/shared.errors';
import { Audience } from '../../../platform/events/audience';
import {
  Flag,
  messageFlagAdded,
  PersonalFlagRowsService,
  ReadStateService,
  SystemMessageService,
} from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory } from '../../users/users.module';
import { customText, greeting } from './welcome-texts';

const BOT = 'welcome-bot';

/** Greets people who are new by a direct message of the welcome bot. */
@Injectable()
export class WelcomeService {
  private readonly logger = new Logger(WelcomeService.name);

  constructor(
    private readonly transactions: TransactionService,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    private readonly messages: SystemMessageService,
    private readonly flags: PersonalFlagRowsService,
    private readonly readState: ReadStateService,
  ) {}

  /**
   * Call it after the account was committed, because only then can it be written to. The person has joined even if this
   * fails, so a failure is only logged.
   * @param text the inviter's welcome text, empty for none; defaults to the organization's
   */
  async greet(userId: number, text?: string): Promise<void> {
    try {
      await this.transactions.run(async (tx) => {
        const person = this.accounts.existing(userId);
        const { name, welcome_message_custom_text: usual } = this.organization.settings;
        await this.readState.lock(tx, userId);
        const content = greeting(name, isAdministrator(person));
        const id = await this.messages.sendToPerson(tx, BOT, userId, { content });
        await this.flags.add(tx, userId, [id], Flag.starred);
        tx.emit(messageFlagAdded('starred', [id]), Audience.of([userId]));
        const custom = text ?? usual;
        if (custom === '') return;
        await this.messages.sendToPerson(tx, BOT, userId, { content: customText(name, custom) });
      });
    } catch (error) {
      this.logger.error(error);
    }
  }

  /** @returns the ID of the message @throws BadRequest for no text */
  async sendSample({ userId }: Actor, text: string): Promise<number> {
    if (text === '') throw new BadRequest('Message must not be empty');
    const content = customText(this.organization.settings.name, text);
    return this.transactions.run((tx) => this.messages.sendToPerson(tx, BOT, userId, { content }));
  }
}

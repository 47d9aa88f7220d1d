import { Injectable } from '@nestjs/common';
import { BotType } from '../../../platform/actor';
import { CommandRefused } from '../../../platform/operator/operator-command';
import { CreateBotService } from '../../membership';
import { AccountDirectory } from '../../users';
import { OperatorAccountAccess } from './operator-account.access';
import type { AddBotInput } from './operator-people.dto';
import { accountWire } from './operator.wire';

const JSON_INTERFACE = 1;

/** Bots that the operator makes for people. */
@Injectable()
export class OperatorBotsService {
  constructor(
    private readonly access: OperatorAccountAccess,
    private readonly accounts: AccountDirectory,
    private readonly createBot: CreateBotService,
  ) {}

  /** The owner makes it, so that it is theirs. @returns what its program needs to sign in */
  async add({ name, shortName, owner }: AddBotInput, site: string) {
    const account = this.access.find(owner);
    if (account.isBot || !account.isActive) {
      throw new CommandRefused(`${account.fullName} cannot own a bot: name an active person with --owner.`);
    }
    const created = await this.createBot.create(
      this.access.actAs(account),
      {
        fullName: name,
        shortName: shortName.trim(),
        botType: BotType.generic,
        interfaceType: JSON_INTERFACE,
        config: {},
      },
      null,
    );
    const bot = this.accounts.existing(created.user_id);
    return { bot: accountWire(bot), zuliprc: { email: bot.deliveryEmail, key: created.api_key, site } };
  }
}

import { isAdministrator } from '../../platform/actor';
import type { TransactionService } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import type { AccountDirectory } from '../../features/users/users.module';

/** Events about bots that older releases sent, and today's server does not. */
export class FormerBotEvents {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly transactions: TransactionService,
  ) {}

  /** Tells the owner of a bot, and the people who are administrators. */
  async tell(botId: number, changed: Readonly<Record<string, unknown>>): Promise<void> {
    const owner = this.accounts.byId(botId)?.botOwnerId ?? null;
    const told = this.accounts
      .all()
      .filter((each) => each.isActive && !each.isBot && (each.id === owner || isAdministrator(each)));
    const audience = Audience.of(told.map(({ id }) => id));
    const event = { type: 'realm_bot', op: 'update', bot: { ['user_id']: botId, ...changed } };
    await this.transactions.run((tx) => Promise.resolve(tx.emit(event, audience)));
  }
}

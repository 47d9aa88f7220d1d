import { isAdministrator } from '../../platform/actor';
import type { TransactionService } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import type { EventLogReader } from '../../platform/events/event-log-reader';
import { numberOf } from '../../features/realtime/realtime.module';
import type { AccountDirectory } from '../../features/users/users.module';

/** Maximum number of events about bots whose administrators are remembered, the newest. */
const MOST_EVENTS = 10_000;

/** The administrators of a bot. */
interface Administrators {
  readonly owner: number | null;
  readonly others: ReadonlySet<number>;
}

/** Events about bots that older releases sent, and the current server does not. */
export class FormerBotEvents {
  /** By event number in the log: a later caller may have become an owner or administrator in between. */
  private readonly atEvent = new Map<number, Administrators>();

  constructor(
    private readonly accounts: AccountDirectory,
    private readonly transactions: TransactionService,
    reader: EventLogReader,
  ) {
    reader.onRows((rows) => {
      for (const { number, event } of rows.filter(({ type }) => type === 'realm_user')) {
        const { user_id: id = 0 } = (event as { person?: { user_id?: number } }).person ?? {};
        if (this.accounts.byId(id)?.isBot) this.note(number, this.administratorsOf(id));
      }
    });
  }

  /** Why a person received an event about a bot. */
  toldOf(userId: number, botId: number, eventId: number): 'owner' | 'administrator' | null {
    const { owner, others } = this.atEvent.get(numberOf(eventId)) ?? this.administratorsOf(botId);
    if (others.has(userId)) return 'administrator';
    return owner === userId ? 'owner' : null;
  }

  /** Sends the event to the owner of a bot and to human administrators. */
  async tell(botId: number, changed: Readonly<Record<string, unknown>>): Promise<void> {
    const { owner, others } = this.administratorsOf(botId);
    const told = this.accounts
      .all()
      .filter(({ id, isActive, isBot }) => isActive && !isBot && (id === owner || others.has(id)));
    const audience = Audience.of(told.map(({ id }) => id));
    const event = { type: 'realm_bot', op: 'update', bot: { ['user_id']: botId, ...changed } };
    await this.transactions.run((tx) => Promise.resolve(tx.emit(event, audience)));
  }

  private administratorsOf(botId: number): Administrators {
    const owner = this.accounts.byId(botId)?.botOwnerId ?? null;
    return {
      owner,
      others: new Set(
        this.accounts
          .all()
          .filter(isAdministrator)
          .map(({ id }) => id),
      ),
    };
  }

  private note(number: number, administrators: Administrators): void {
    this.atEvent.set(number, administrators);
    const [oldest] = this.atEvent.keys();
    if (this.atEvent.size > MOST_EVENTS && oldest !== undefined) this.atEvent.delete(oldest);
  }
}

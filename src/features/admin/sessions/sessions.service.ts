import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import {
  pageAnswer,
  pageWindow,
  type PageAnswer,
  type PageQuery,
} from '../../../platform/http/companion/paging';
import { LoginSessionService } from '../../users';
import { PersonAccess } from '../people/person.access';
import { NoSuchSession } from './sessions.errors';
import type { SessionRecord } from './session.wire';

type Row = Omit<SessionRecord, 'is_current'> & { readonly token_id: string };

/**
 * Shows where people are signed in to the companion interface, and ends sessions: the caller's own, and those of people
 * whom the caller manages.
 */
@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
    private readonly access: PersonAccess,
    private readonly sessions: LoginSessionService,
  ) {}

  /**
   * The caller's own sessions, oldest first.
   * @param tokenId names the session of the token that was sent
   * @throws UnprocessableEntity
   */
  own(actor: Actor, tokenId: string, query: PageQuery): Promise<PageAnswer<SessionRecord>> {
    return this.list(actor.userId, tokenId, query);
  }

  /**
   * The sessions of a person whom the caller manages.
   * @throws MustBeAdministrator, NoSuchUser, UserIsDeleted, MustBeOwner, UnprocessableEntity
   */
  async ofPerson(
    caller: Actor,
    tokenId: string,
    userId: number,
    query: PageQuery,
  ): Promise<PageAnswer<SessionRecord>> {
    this.access.forChange(this.access.administrator(caller), userId);
    return this.list(userId, tokenId, query);
  }

  /** Signs the caller out everywhere else. @returns how many sessions ended */
  endOthers(actor: Actor, tokenId: string): Promise<number> {
    return this.transactions.run((tx) => this.sessions.endAll(tx, actor.userId, tokenId));
  }

  /** @throws NoSuchSession */
  async endOwn(actor: Actor, id: number): Promise<void> {
    await this.transactions.run((tx) => this.endOne(tx, actor.userId, id));
  }

  /**
   * Signs a person out everywhere.
   * @returns how many sessions ended
   * @throws MustBeAdministrator, NoSuchUser, UserIsDeleted, MustBeOwner
   */
  endAllOfPerson(caller: Actor, userId: number): Promise<number> {
    return this.administer(caller, userId, (tx) => this.sessions.endAll(tx, userId));
  }

  /** @throws MustBeAdministrator, NoSuchUser, UserIsDeleted, MustBeOwner, NoSuchSession */
  endOneOfPerson(caller: Actor, userId: number, id: number): Promise<void> {
    return this.administer(caller, userId, (tx) => this.endOne(tx, userId, id));
  }

  private administer<T>(caller: Actor, userId: number, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transactions.runExclusive((tx) => {
      this.access.forChange(this.access.administrator(caller), userId);
      return work(tx);
    });
  }

  private async endOne(tx: Transaction, userId: number, id: number): Promise<void> {
    if (!(await this.sessions.endOne(tx, userId, id))) throw new NoSuchSession();
  }

  private async list(
    userId: number,
    currentTokenId: string,
    query: PageQuery,
  ): Promise<PageAnswer<SessionRecord>> {
    const window = pageWindow(query);
    const now = this.clock.nowSeconds();
    const db = this.database.read;
    const rows = await db.query<Row>(
      `SELECT id, token_id, created_at, expires_at, address, user_agent FROM login_session
       WHERE user_id = ? AND expires_at > ? AND id > ? ORDER BY id LIMIT ? OFFSET ?`,
      [userId, now, window.afterId, window.size + 1, window.offset],
    );
    const [count] = await db.query<{ total: number }>(
      'SELECT COUNT(*) AS total FROM login_session WHERE user_id = ? AND expires_at > ?',
      [userId, now],
    );
    return pageAnswer(rows, Number(count?.total), window, ({ token_id, ...session }) => ({
      ...session,
      is_current: token_id === currentTokenId,
    }));
  }
}

import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database.service';
import { TransactionService, type Transaction } from '../../platform/database/transaction.service';
import { LoginSession } from './login-session.entity';

/** Sessions of the companion interface: they begin with a login, and end when anything they rest on changes. */
@Injectable()
export class LoginSessionService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Within an exclusive transaction that has looked at the account, so that no session begins after the
   * password or role it rests on was changed.
   */
  async begin(tx: Transaction, userId: number): Promise<LoginSession> {
    const row = tx.repository(LoginSession).create({
      id: randomBytes(16).toString('hex'),
      userId,
      expiresAt: this.clock.nowSeconds() + this.config.accessTokenLifetimeSeconds,
    });
    await tx.repository(LoginSession).insert(row);
    return row;
  }

  /** Whose session it is; null once it has ended. */
  async ownerOf(sessionId: string): Promise<number | null> {
    const [row] = await this.database.read.query<{ user_id: number }>(
      'SELECT user_id FROM login_session WHERE id = ? AND expires_at > ?',
      [sessionId, this.clock.nowSeconds()],
    );
    return row?.user_id ?? null;
  }

  /** Signs out. */
  async end(sessionId: string): Promise<void> {
    await this.transactions.run((tx) => tx.repository(LoginSession).delete({ id: sessionId }));
  }

  /** Signs somebody out everywhere. */
  async endAll(tx: Transaction, userId: number): Promise<void> {
    await tx.repository(LoginSession).delete({ userId });
  }
}

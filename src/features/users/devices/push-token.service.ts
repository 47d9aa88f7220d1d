import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { InvalidRegistration, NoSuchToken } from './devices.api';
import { PushRegistration } from './push-registration.entity';

type TokenKind = PushRegistration['kind'];

const MAX_LENGTH = 4096;

/** People have few devices; only the newest tokens are compared. */
const TOKENS_COMPARED = 100;

/** Tokens of apps that get notifications without end-to-end encryption. */
@Injectable()
export class PushTokenService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
  ) {}

  /** Registering a token again renews it. @param appId for Apple only. @throws InvalidRegistration */
  async add(actor: Actor, kind: TokenKind, token: string, appId: string | null = null): Promise<void> {
    if (appId !== null && !/^[.a-zA-Z0-9-]+$/.test(appId)) {
      throw new InvalidRegistration('appid has invalid format');
    }
    checkToken(kind, token);
    await this.transactions.run(async (tx) => {
      await tx.query(
        `INSERT INTO push_registration (user_id, kind, token, app_id, created_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (user_id, kind, token) DO UPDATE
         SET app_id = excluded.app_id, created_at = excluded.created_at`,
        [actor.userId, kind, token, appId, this.clock.nowSeconds()],
      );
    });
  }

  /** @throws InvalidRegistration, NoSuchToken */
  async remove(actor: Actor, kind: TokenKind, token: string): Promise<void> {
    checkToken(kind, token);
    await this.transactions.run(async (tx) => {
      const { affected } = await tx
        .repository(PushRegistration)
        .delete({ userId: actor.userId, kind, token });
      if (affected === 0) throw new NoSuchToken();
    });
  }

  /** Removes a person's registration of a token, if there is one. @param tokenId as clients derive it from the token */
  async removeById(tx: Transaction, userId: number, kind: TokenKind, tokenId: string): Promise<void> {
    const own = await tx.query<Pick<PushRegistration, 'id' | 'token'>>(
      `SELECT id, token FROM push_registration WHERE user_id = ? AND kind = ?
       ORDER BY created_at DESC, id DESC LIMIT ?`,
      [userId, kind, TOKENS_COMPARED],
    );
    const same = own.filter(({ token }) => idOf(token) === tokenId).map(({ id }) => id);
    if (same.length > 0) await tx.repository(PushRegistration).delete({ id: In(same) });
  }

  /** Removes all of a person's registrations. */
  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.repository(PushRegistration).delete({ userId });
  }
}

/** What clients call a token: the beginning of its hash. */
function idOf(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 8).toString('base64');
}

function checkToken(kind: TokenKind, token: string): void {
  if (token === '' || token.length > MAX_LENGTH) {
    throw new InvalidRegistration('Empty or invalid length token');
  }
  // Two digits of hex a byte, as Apple's clients write their tokens.
  if (kind === 'apns' && !/^(?:[0-9a-f]{2})+$/i.test(token))
    throw new InvalidRegistration('Invalid APNS token');
}

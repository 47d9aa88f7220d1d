import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { InvalidRegistration, NoSuchToken } from './devices.errors';
import { PushRegistration } from './push-registration.entity';

type TokenKind = PushRegistration['kind'];

const MAX_LENGTH = 4096;

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

  /** Removes all of a person's registrations. */
  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.repository(PushRegistration).delete({ userId });
  }
}

function checkToken(kind: TokenKind, token: string): void {
  if (token === '' || token.length > MAX_LENGTH) {
    throw new InvalidRegistration('Empty or invalid length token');
  }
  if (kind === 'apns' && !isLenientBase64(token)) throw new InvalidRegistration('Invalid APNS token');
}

/**
 * Clients write Apple's tokens in several ways, so characters that are none of base64 count for nothing. The others come
 * in groups of four, padding included, and whatever follows the padding is not read.
 */
function isLenientBase64(text: string): boolean {
  let inGroup = 0;
  let padding = 0;
  for (const character of text) {
    if (character === '=') {
      if (inGroup >= 2 && inGroup + ++padding >= 4) return true;
    } else if (/[A-Za-z0-9+/]/.test(character)) {
      inGroup = (inGroup + 1) % 4;
      padding = 0;
    }
  }
  return inGroup === 0;
}

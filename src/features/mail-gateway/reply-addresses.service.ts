import { createHash, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ReplyAddress } from './mail-gateway.entity';
import type { Actor } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import { Config } from '../../platform/config/config';
import type { Transaction } from '../../platform/database/transaction.service';
import { ApiError } from '../../platform/errors/api-error';
import { Hooks } from '../../platform/hooks/hooks';
import { ApiKeys } from '../../platform/secrets/api-keys';
import type { Queryable } from '../../platform/sql/queryable';
import { MessageAccess, messagesDeleted, type ReadableMessage } from '../messages/messages.module';
import { AccountDirectory, actorOf, personalDataRemoved } from '../users/users.module';

/** Who answers, and what. */
export interface ReplyTarget {
  readonly person: Actor;
  readonly readable: ReadableMessage;
}

/** An address ends so long after it was made. */
export const REPLY_DAYS = 30;

const DAY_MS = 86_400_000;
const TOKEN_DIGITS = 32;
const LOCAL_PART = /^mm([0-9a-f]{32})$/;

/**
 * Addresses at which people answer notification mails. Anyone who has one can post in the person's name, in one
 * conversation: so an address ends after 30 days, with the person's API key, and when the person can no longer read the
 * message.
 */
@Injectable()
export class ReplyAddressService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly keys: ApiKeys,
    private readonly accounts: AccountDirectory,
    private readonly messages: MessageAccess,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(ReplyAddress).delete({ userId });
    });
    hooks.on(messagesDeleted, async (tx, messageIds) => {
      await tx.query('DELETE FROM reply_address WHERE message_id IN (?)', [messageIds]);
    });
  }

  /** Whether the operator has set up incoming mail. */
  get isAvailable(): boolean {
    return this.config.emailGatewayPattern !== null;
  }

  /**
   * Makes an address for mail to one person about one message, which the person can read. It is derived: a mail that is
   * put together again, as the mail server was away, has the same one.
   * @returns null unless incoming mail is set up; the mail must then ask not to be answered
   */
  async create(tx: Transaction, userId: number, messageId: number): Promise<string | null> {
    if (!this.isAvailable) return null;
    const { keyNonce } = this.accounts.existing(userId);
    const key = this.keys.apiKeyFor(keyNonce);
    const token = tokenFor(key, messageId);
    await tx.query(
      `INSERT INTO reply_address (token_hash, key_mark, user_id, message_id, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (token_hash) DO UPDATE SET created_at = excluded.created_at`,
      [hashOf(token), markOf(token, key), userId, messageId, this.clock.nowMs()],
    );
    return this.config.gatewayAddress(`mm${token}`);
  }

  /** The token in the local part of an address; null for one of another kind. */
  tokenIn(localPart: string): string | null {
    return LOCAL_PART.exec(localPart.toLowerCase())?.[1] ?? null;
  }

  /** @returns null for an address that never was, or has ended */
  async find(db: Queryable, token: string): Promise<ReplyTarget | null> {
    const row = await db.repository(ReplyAddress).findOneBy({ tokenHash: hashOf(token) });
    return row && this.marks(row.userId, token).includes(row.keyMark) ? this.target(db, row) : null;
  }

  /** The same by the hash of the token, for a mail that was let in by {@link find}. */
  async findAgain(db: Queryable, tokenHash: string): Promise<ReplyTarget | null> {
    const row = await db.repository(ReplyAddress).findOneBy({ tokenHash });
    return row && this.target(db, row);
  }

  private async target(db: Queryable, row: ReplyAddress): Promise<ReplyTarget | null> {
    const account = this.accounts.byId(row.userId);
    if (!account?.isActive || row.createdAt < this.clock.nowMs() - REPLY_DAYS * DAY_MS) return null;
    const person = actorOf(account);
    try {
      return { person, readable: await this.messages.forReading(db, person, row.messageId) };
    } catch (error) {
      if (error instanceof ApiError) return null;
      throw error;
    }
  }

  private marks(userId: number, token: string): string[] {
    const account = this.accounts.byId(userId);
    return account ? this.keys.acceptedFor(account.keyNonce).map((key) => markOf(token, key)) : [];
  }
}

/** SHA-256 in hex, under which a token is stored. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** In hex. Anyone who knows the key may post anyway; the key cannot be found from the token. */
function tokenFor(key: string, messageId: number): string {
  return createHmac('sha256', key).update(`reply address ${messageId}`).digest('hex').slice(0, TOKEN_DIGITS);
}

function markOf(token: string, key: string): string {
  return hashOf(`${token}:${key}`);
}

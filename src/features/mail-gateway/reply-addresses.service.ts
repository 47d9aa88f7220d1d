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

/** The replying person, and the message. */
export interface ReplyTarget {
  readonly person: Actor;
  readonly readable: ReadableMessage;
}

/** Lifetime of an address. */
export const REPLY_DAYS = 30;

const DAY_MS = 86_400_000;
const TOKEN_DIGITS = 32;
const LOCAL_PART = /^mm([0-9a-f]{32})$/;

/**
 * Creates and resolves reply addresses of notification mails. Anyone with an address can post in the person's name in
 * one conversation, so it expires after 30 days, with the person's API key, and when the person can no longer read the
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
   * Creates an address for mail to one person about one message, which the person can read. It is derived, so that a
   * mail composed again after a failed delivery has the same one.
   * @returns null if incoming mail is not set up; the mail must then ask people not to reply
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

  /** The token in the local part of a reply address; null for other addresses. */
  tokenIn(localPart: string): string | null {
    return LOCAL_PART.exec(localPart.toLowerCase())?.[1] ?? null;
  }

  /** Finds the target of a token. @returns null if the address does not exist or has expired */
  async find(db: Queryable, token: string): Promise<ReplyTarget | null> {
    const row = await db.repository(ReplyAddress).findOneBy({ tokenHash: hashOf(token) });
    return row && this.marks(row.userId, token).includes(row.keyMark) ? this.target(db, row) : null;
  }

  /** Finds the target of a token's hash, for a mail that {@link find} accepted earlier. */
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

/** SHA-256 in hex, as stored for a token. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Derives a token, in hex. Anyone with the key can post anyway, and the token does not reveal the key. */
function tokenFor(key: string, messageId: number): string {
  return createHmac('sha256', key).update(`reply address ${messageId}`).digest('hex').slice(0, TOKEN_DIGITS);
}

function markOf(token: string, key: string): string {
  return hashOf(`${token}:${key}`);
}

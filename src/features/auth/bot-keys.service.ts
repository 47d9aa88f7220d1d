import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../../platform/secrets/api-keys';
import { AccountDirectory, type AccountRecord } from '../users/users.module';

/** Finds bots by their keys alone. */
@Injectable()
export class BotKeys {
  /** IDs of bots by digests of their keys: how long a search takes says nothing about the keys. */
  private readonly botIds = new Map<string, number>();
  /** The accounts that the map was made from. */
  private madeFrom: object | null = null;

  constructor(
    private readonly accounts: AccountDirectory,
    private readonly apiKeys: ApiKeys,
  ) {}

  /** The bot with this key, deactivated ones included. */
  find(key: string): AccountRecord | undefined {
    this.keepUp();
    const id = this.botIds.get(digestOf(key));
    const bot = id === undefined ? undefined : this.accounts.byId(id);
    return bot && this.apiKeys.matches(bot.keyNonce, key) ? bot : undefined;
  }

  /** Makes the map anew where an account has changed since. */
  private keepUp(): void {
    // The directory makes another one whenever any account changes.
    const { active } = this.accounts;
    if (this.madeFrom === active) return;
    this.botIds.clear();
    for (const { id, isBot, keyNonce } of this.accounts.all()) {
      if (!isBot) continue;
      for (const key of this.apiKeys.acceptedFor(keyNonce)) this.botIds.set(digestOf(key), id);
    }
    this.madeFrom = active;
  }
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}

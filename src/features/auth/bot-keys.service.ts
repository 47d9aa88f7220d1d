import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/actor';
import { ApiKeys } from '../../platform/secrets/api-keys';
import {
  AccountDirectory,
  type AccountRecord,
  digestOf,
  KeyUse,
  type KnownKey,
  NamedKeyDirectory,
} from '../users/users.module';

/** A bot, and the named key in use; null for the bot's own. */
interface FoundBot {
  readonly bot: AccountRecord;
  readonly key: KnownKey | null;
}

/** Finds bots by key alone. */
@Injectable()
export class BotKeys {
  /** IDs of bots by digests of their keys: lookups reveal nothing about keys through their timing. */
  private readonly botIds = new Map<string, number>();
  /** The accounts and the version of the named keys from which the map was built. */
  private madeFrom: { readonly accounts: object; readonly keys: number } | null = null;

  constructor(
    private readonly accounts: AccountDirectory,
    private readonly named: NamedKeyDirectory,
    private readonly apiKeys: ApiKeys,
    private readonly keyUse: KeyUse,
  ) {}

  /**
   * Finds the bot with this key, its own or a named one; includes deactivated bots.
   * @param from the client, to record the use of named keys
   */
  find(key: string, from: () => Caller): FoundBot | undefined {
    this.keepUp();
    const id = this.botIds.get(digestOf(key));
    const bot = id === undefined ? undefined : this.accounts.byId(id);
    if (!bot) return undefined;
    if (this.apiKeys.matches(bot.keyNonce, key)) return { bot, key: null };
    const named = this.keyUse.admit(bot.id, key, from);
    return named ? { bot, key: named } : undefined;
  }

  /** Rebuilds the map if an account or a named key has changed since. */
  private keepUp(): void {
    // The directory replaces this object whenever any account changes.
    const { active } = this.accounts;
    if (this.madeFrom?.accounts === active && this.madeFrom.keys === this.named.version) return;
    this.botIds.clear();
    for (const { id, isBot, keyNonce } of this.accounts.all()) {
      if (!isBot) continue;
      for (const digest of this.named.acceptedFor(id)) this.botIds.set(digest, id);
      for (const key of this.apiKeys.acceptedFor(keyNonce)) this.botIds.set(digestOf(key), id);
    }
    this.madeFrom = { accounts: active, keys: this.named.version };
  }
}

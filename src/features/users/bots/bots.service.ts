import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { BotsOnly, BotStorageFull, InvalidInterfaceType, NoSuchStorageKey } from './bot-storage.api';
import { BotEndpoint, BotStorageEntry } from '../accounts/account.entity';
import type { Actor } from '../../../platform/actor';
import { chunksOf } from '../../../platform/collections';
import { Database } from '../../../platform/database/database.service';
import type { Queryable } from '../../../platform/sql/queryable';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { codePointLength } from '../../../platform/http/parameters/text';
import { entityRows } from '../../../platform/sql/entity-rows';

/** Changes to an outgoing webhook; omitted properties do not change. */
export interface BotServiceUpdate {
  readonly payloadUrl?: string;
  readonly interfaceType: number;
  readonly config?: Readonly<Record<string, string>>;
}

/** Payload formats of outgoing webhooks: Zulip's own, and Slack's. */
const INTERFACE_TYPES: readonly number[] = [1, 2];

/** Manages the URLs of outgoing webhook bots, and the tokens by which receivers recognize them. */
@Injectable()
export class BotServices {
  find(db: Queryable, botId: number): Promise<BotEndpoint | null> {
    return db.repository(BotEndpoint).findOneBy({ botId });
  }

  /** Services by the IDs of their bots; bots without one are left out. */
  async among(db: Queryable, botIds: readonly number[]): Promise<Map<number, BotEndpoint>> {
    const services = await entityRows(db, BotEndpoint, 'WHERE bot_id IN (?)', [botIds]);
    return new Map(services.map((service) => [service.botId, service]));
  }

  /** @throws InvalidInterfaceType */
  requireInterface(interfaceType: number): void {
    if (!INTERFACE_TYPES.includes(interfaceType)) throw new InvalidInterfaceType();
  }

  async create(tx: Transaction, botId: number, name: string, service: BotServiceUpdate): Promise<void> {
    await tx.repository(BotEndpoint).insert({
      botId,
      name,
      payloadUrl: service.payloadUrl ?? null,
      token: randomBytes(24).toString('base64url'),
      interface: service.interfaceType,
      config: JSON.stringify(service.config ?? {}),
    });
  }

  /** @returns whether the bot has a service to change. @throws InvalidInterfaceType */
  async update(tx: Transaction, botId: number, update: BotServiceUpdate): Promise<boolean> {
    const service = await tx.repository(BotEndpoint).findOneBy({ botId });
    if (!service) return false;
    if (update.payloadUrl !== undefined) {
      this.requireInterface(update.interfaceType);
      service.payloadUrl = update.payloadUrl;
      service.interface = update.interfaceType;
    }
    if (update.config) {
      const config = JSON.parse(service.config) as Record<string, string>;
      service.config = JSON.stringify({ ...config, ...update.config });
    }
    await tx.repository(BotEndpoint).save(service);
    return true;
  }
}

/** Maximum number of characters that one bot may store, including keys. */
const LIMIT = 10_000_000;

const KEYS_PER_STATEMENT = 500;

/** The storage of bots: texts by key. */
@Injectable()
export class BotStorageService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
  ) {}

  /** Adds or replaces entries. @throws BotsOnly, BotStorageFull */
  async put(actor: Actor, storage: Readonly<Record<string, string>>): Promise<void> {
    requireBot(actor);
    const keys = Object.keys(storage);
    if (keys.length === 0) return;
    await this.transactions.run(async (tx) => {
      const size = (await this.sizeWithout(tx, actor.userId, keys)) + sizeOf(storage);
      if (size > LIMIT) throw new BotStorageFull(size - LIMIT, LIMIT);
      for (const key of keys) await this.store(tx, actor.userId, key, storage[key] as string);
    });
  }

  /** @param keys all by default. @throws BotsOnly, NoSuchStorageKey */
  async get(actor: Actor, keys?: readonly string[]): Promise<Record<string, string>> {
    requireBot(actor);
    const rows = await this.rows(this.database.read, actor.userId, keys);
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  }

  /** @param keys all by default. @throws BotsOnly, NoSuchStorageKey when one is missing */
  async remove(actor: Actor, keys?: readonly string[]): Promise<void> {
    requireBot(actor);
    await this.transactions.run(async (tx) => {
      const found = (await this.rows(tx, actor.userId, keys)).map(({ key }) => key);
      for (const some of chunksOf(found, KEYS_PER_STATEMENT)) {
        await tx.repository(BotStorageEntry).delete({ botId: actor.userId, key: In(some) });
      }
    });
  }

  private async rows(db: Queryable, botId: number, keys?: readonly string[]): Promise<BotStorageEntry[]> {
    const entries = db.repository(BotStorageEntry);
    if (!keys) return entries.find({ where: { botId }, order: { key: 'ASC' } });
    const wanted = [...new Set(keys)];
    const rows: BotStorageEntry[] = [];
    for (const some of chunksOf(wanted, KEYS_PER_STATEMENT)) {
      rows.push(...(await entries.findBy({ botId, key: In(some) })));
    }
    if (rows.length < wanted.length) throw new NoSuchStorageKey();
    return rows;
  }

  private async sizeWithout(tx: Transaction, botId: number, keys: readonly string[]): Promise<number> {
    const [row] = await tx.query<{ size: number }>(
      `SELECT CAST(COALESCE(SUM(LENGTH(key) + LENGTH(value)), 0) AS INTEGER) AS size
       FROM bot_storage WHERE bot_id = ? AND key NOT IN (?)`,
      [botId, keys],
    );
    return row?.size ?? 0;
  }

  private async store(tx: Transaction, botId: number, key: string, value: string): Promise<void> {
    await tx.query(
      `INSERT INTO bot_storage (bot_id, key, value) VALUES (?, ?, ?)
       ON CONFLICT (bot_id, key) DO UPDATE SET value = excluded.value`,
      [botId, key, value],
    );
  }
}

function requireBot(actor: Actor): void {
  if (!actor.isBot) throw new BotsOnly();
}

function sizeOf(storage: Readonly<Record<string, string>>): number {
  return Object.entries(storage).reduce(
    (sum, [key, value]) => sum + codePointLength(key) + codePointLength(value),
    0,
  );
}

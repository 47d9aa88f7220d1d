import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { entityRows } from '../../../platform/sql/entity-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { BotService } from './bot-service.entity';
import { InvalidInterfaceType } from './bot-storage.api';

/** How an outgoing webhook is reached; what is left out stays as it is. */
export interface BotServiceUpdate {
  readonly payloadUrl?: string;
  readonly interfaceType: number;
  readonly config?: Readonly<Record<string, string>>;
}

/** Formats of outgoing webhooks: the interface's own, and Slack's. */
const INTERFACE_TYPES: readonly number[] = [1, 2];

/** Where outgoing webhooks of bots go, and the token by which the receiver recognizes them. */
@Injectable()
export class BotServices {
  find(db: Queryable, botId: number): Promise<BotService | null> {
    return db.repository(BotService).findOneBy({ botId });
  }

  /** Services by the IDs of their bots; bots without one are left out. */
  async among(db: Queryable, botIds: readonly number[]): Promise<Map<number, BotService>> {
    const services = await entityRows(db, BotService, 'WHERE bot_id IN (?)', [botIds]);
    return new Map(services.map((service) => [service.botId, service]));
  }

  /** @throws InvalidInterfaceType */
  requireInterface(interfaceType: number): void {
    if (!INTERFACE_TYPES.includes(interfaceType)) throw new InvalidInterfaceType();
  }

  async create(tx: Transaction, botId: number, name: string, service: BotServiceUpdate): Promise<void> {
    await tx.repository(BotService).insert({
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
    const service = await tx.repository(BotService).findOneBy({ botId });
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
    await tx.repository(BotService).save(service);
    return true;
  }
}

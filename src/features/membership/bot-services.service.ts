import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { BotService } from '../users';
import { InvalidInterfaceType } from './membership.errors';

/** How an outgoing webhook is reached; what is left out stays as it is. */
export interface ServiceUpdate {
  readonly payloadUrl?: string;
  readonly interfaceType: number;
  readonly config?: Readonly<Record<string, string>>;
}

/** Formats of outgoing webhooks: the interface's own, and one that some services know from elsewhere. */
const INTERFACE_TYPES: readonly number[] = [1, 2];

/** Where outgoing webhooks of bots go, and the token by which the receiver knows them. */
@Injectable()
export class BotServices {
  /** @throws InvalidInterfaceType */
  requireInterface(interfaceType: number): void {
    if (!INTERFACE_TYPES.includes(interfaceType)) throw new InvalidInterfaceType();
  }

  async create(tx: Transaction, botId: number, name: string, service: ServiceUpdate): Promise<void> {
    await tx.repository(BotService).insert({
      botId,
      name,
      payloadUrl: service.payloadUrl ?? null,
      token: randomBytes(24).toString('base64url'),
      interface: service.interfaceType,
      config: JSON.stringify(service.config ?? {}),
    });
  }

  /** @returns whether the bot has a service that could change. @throws InvalidInterfaceType */
  async update(tx: Transaction, botId: number, update: ServiceUpdate): Promise<boolean> {
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

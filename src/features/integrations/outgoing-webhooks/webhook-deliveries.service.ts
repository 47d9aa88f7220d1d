import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ReadRepository } from '../../../platform/database/read-source';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { TransactionService } from '../../../platform/database/transaction.service';
import { UserAccess } from '../../users/users.module';
import { deliveryRecord, type WebhookDeliveryRecord } from './outgoing-webhooks.api';
import { WebhookDelivery } from './webhook-delivery.entity';

/** How many calls are kept of each bot. */
const KEPT = 50;

/** A call as it ended. */
type EndedCall = Omit<WebhookDelivery, 'id' | 'calledAt'>;

/** Keeps the last calls of each webhook for the bot's administrators. */
@Injectable()
export class WebhookDeliveriesService {
  private readonly logger = new Logger('WebhookDeliveries');

  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: ReadRepository<WebhookDelivery>,
    private readonly transactions: TransactionService,
    private readonly access: UserAccess,
    private readonly clock: Clock,
  ) {}

  /** Newest first. @throws NoSuchBot, InsufficientPermission, MustBeOwner */
  async list(actor: Actor, botId: number): Promise<WebhookDeliveryRecord[]> {
    const { id } = this.access.forBotAdministration(actor, botId);
    const found = await this.deliveries.find({ where: { botId: id }, order: { id: 'DESC' }, take: KEPT });
    return found.map(deliveryRecord);
  }

  /** Does not throw: a call that cannot be written down must not be made again for that. */
  async keep(call: EndedCall): Promise<void> {
    const { botId } = call;
    try {
      await this.transactions.run(async (tx) => {
        await tx.repository(WebhookDelivery).insert({ ...call, calledAt: this.clock.nowSeconds() });
        await tx.query(
          `DELETE FROM webhook_call WHERE bot_id = ? AND id <= (
             SELECT id FROM webhook_call WHERE bot_id = ? ORDER BY id DESC LIMIT 1 OFFSET ${KEPT}
           )`,
          [botId, botId],
        );
      });
    } catch (error) {
      this.logger.error({ err: error }, `Cannot record a webhook delivery of bot ${botId}.`);
    }
  }
}

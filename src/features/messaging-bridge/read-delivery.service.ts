import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import type { RawBody } from '../../platform/http/body/raw-body';
import { validInput } from '../../platform/http/companion/valid-input';
import { isSameSecret } from '../../platform/secrets/same-secret';
import { isRecord } from './deliveries/json-values';
import { isWhatsappDelivery, whatsappMessages } from './deliveries/whatsapp-delivery';
import { FormDeliveryDto } from './messaging.dto';
import { WebhookSignatureRefused } from './messaging.errors';
import { MessageSource, type OutsideMessage } from './outside-message';

/** Reads what was delivered, in either form. */
@Injectable()
export class ReadDeliveryService {
  constructor(private readonly config: Config) {}

  /**
   * @param signature of the provider, as its header has it
   * @throws BadRequest, UnprocessableEntity, WebhookSignatureRefused
   */
  read(body: RawBody, signature: string | undefined): OutsideMessage[] {
    const delivery = body.json();
    if (!isRecord(delivery) || !isWhatsappDelivery(delivery)) return [formMessage(delivery)];
    this.checkSignature(body, signature);
    return whatsappMessages(delivery);
  }

  private checkSignature({ bytes }: RawBody, signature: string | undefined): void {
    const { webhookAppSecret } = this.config;
    if (webhookAppSecret === null) return;
    const right = `sha256=${createHmac('sha256', webhookAppSecret).update(bytes).digest('hex')}`;
    if (signature === undefined || !isSameSecret(signature, right)) throw new WebhookSignatureRefused();
  }
}

function formMessage(delivery: unknown): OutsideMessage {
  const { from, text, id, timestamp } = validInput(FormDeliveryDto, delivery, 'body');
  const sender = { source: MessageSource.form, address: from, name: null, via: null };
  return { sender, externalId: id, text, writtenAt: timestamp };
}

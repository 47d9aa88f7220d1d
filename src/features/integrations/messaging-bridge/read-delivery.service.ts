import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config';
import type { RawBody } from '../../../platform/http/body/raw-body';
import { validInput } from '../../../platform/http/companion/valid-input';
import { isSameSecret } from '../../../platform/secrets/same-secret';
import { isRecord } from './delivered-values';
import { isWhatsappDelivery, whatsappMessages } from './whatsapp-delivery';
import { FormDeliveryDto, WebhookSignatureRefused } from './messaging.api';
import { MessageSource, type OutsideMessage } from './outside-message';

/** Reads deliveries in either format. */
@Injectable()
export class ReadDeliveryService {
  constructor(private readonly config: Config) {}

  /**
   * @param signature of the provider, as its header states it
   * @throws BadRequest, UnprocessableEntity, WebhookSignatureRefused
   */
  read(body: RawBody, signature: string | undefined): OutsideMessage[] {
    const { webhookAppSecret } = this.config;
    // In either format: a proxy may add the header with the secret to everything that is signed.
    if (webhookAppSecret !== null && signature !== undefined)
      checkSignature(body, signature, webhookAppSecret);
    const delivery = body.json();
    if (!isRecord(delivery) || !isWhatsappDelivery(delivery)) return [formMessage(delivery)];
    if (webhookAppSecret !== null && signature === undefined) throw new WebhookSignatureRefused();
    return whatsappMessages(delivery);
  }
}

function checkSignature({ bytes }: RawBody, signature: string, appSecret: string): void {
  const right = `sha256=${createHmac('sha256', appSecret).update(bytes).digest('hex')}`;
  if (!isSameSecret(signature, right)) throw new WebhookSignatureRefused();
}

function formMessage(delivery: unknown): OutsideMessage {
  const { from, text, id, timestamp } = validInput(FormDeliveryDto, delivery, 'body');
  const sender = { source: MessageSource.form, address: from, name: null, via: null };
  return { sender, externalId: id, text, writtenAt: timestamp };
}

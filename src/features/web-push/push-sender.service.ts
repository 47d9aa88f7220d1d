import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { type Counter, Metrics } from '../../platform/metrics/metrics';
import { AddressRules } from '../../platform/outbound/address-rules';
import { OutboundFailure, post } from '../../platform/outbound/outbound-request';
import { DerivedKeys } from '../../platform/secrets/server-secret';
import { encryptPush } from './encrypt-push';
import { pushBytes, type PushPayload } from './push-payload';
import type { PushSubscription } from './push-subscription.entity';
import { Vapid } from './vapid.service';

/** What became of a push message. */
export type PushOutcome =
  | { readonly kind: 'delivered' }
  /** The subscription has ended for good. */
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** Whether it may succeed later. */
      readonly isPassing: boolean;
    };

const OUTCOMES: readonly PushOutcome['kind'][] = ['delivered', 'gone', 'failed'];

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Push services keep a message for a browser that is off; after a day it is no news. */
const KEPT_SECONDS = 86_400;

/** Statuses with which push services say that the subscription has ended. */
const GONE = [404, 410];

/** Statuses that ask for patience. */
const PASSING = [408, 425, 429];

/** Encrypts messages for browsers and hands them to their push services. */
@Injectable()
export class PushSender {
  private readonly rules: AddressRules;
  private readonly topicKey: Buffer;
  private readonly attempts: Counter<'outcome'>;

  constructor(
    private readonly vapid: Vapid,
    config: Config,
    keys: DerivedKeys,
    metrics: Metrics,
  ) {
    this.rules = new AddressRules(config.webhookPrivateNetworks);
    this.topicKey = keys.current('web-push');
    this.attempts = metrics.counter('parley_push_attempts_total', 'Attempts to notify a browser.', [
      'outcome',
    ]);
    for (const outcome of OUTCOMES) this.attempts.inc({ outcome }, 0);
  }

  /** @param signal ends the request early, which counts as a passing failure */
  async send(
    subscription: PushSubscription,
    payload: PushPayload,
    signal?: AbortSignal,
  ): Promise<PushOutcome> {
    const outcome = await this.attempt(subscription, payload, signal);
    this.attempts.inc({ outcome: outcome.kind });
    return outcome;
  }

  private async attempt(
    { endpoint, vapidKey, p256dh, auth }: PushSubscription,
    payload: PushPayload,
    signal?: AbortSignal,
  ): Promise<PushOutcome> {
    const authorization = this.vapid.authorization(endpoint, vapidKey);
    if (authorization === null) return { kind: 'gone' };
    const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') };
    const headers = {
      authorization,
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(KEPT_SECONDS),
      urgency: 'high',
      topic: this.topicOf(endpoint, payload),
    };
    try {
      const { status } = await post(
        {
          url: endpoint,
          headers,
          body: encryptPush(pushBytes(payload), keys),
          timeoutMs: TIMEOUT_MS,
          maxBytes: MAX_ANSWER_BYTES,
          // The signature is for this push service alone.
          maxRedirects: 0,
          ...(signal && { signal }),
        },
        this.rules,
      );
      return outcomeOf(status);
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      return { kind: 'failed', reason: error.message, isPassing: !error.isFinal };
    }
  }

  /**
   * Messages of one conversation replace each other at the push service, which does not learn which one it is, nor who
   * else is in it.
   */
  private topicOf(endpoint: string, payload: PushPayload): string {
    const about = payload.kind === 'message' ? payload.tag : payload.kind;
    return createHmac('sha256', this.topicKey)
      .update(`${endpoint} ${about}`)
      .digest('base64url')
      .slice(0, 32);
  }
}

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (GONE.includes(status)) return { kind: 'gone' };
  const isPassing = status >= 500 || PASSING.includes(status);
  return { kind: 'failed', reason: `the push service answered with status ${status}`, isPassing };
}

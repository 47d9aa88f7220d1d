import { createECDH, createHash, createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { encryptPush, pushBytes, type PushPayload } from './push-payload';
import type { PushSubscription } from './push-subscription.entity';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { type Counter, Metrics } from '../../../platform/metrics/metrics';
import { AddressRules } from '../../../platform/outbound/address-rules';
import { OutboundFailure, post } from '../../../platform/outbound/outbound-request';
import { DerivedKeys } from '../../../platform/secrets/server-secret';

const PURPOSE = 'web-push';

/** Push services refuse tokens that are valid for more than a day. */
const TOKEN_SECONDS = 12 * 3600;

/** The contact sent to push services by a server without a public address. */
const NO_CONTACT = 'mailto:webmaster@localhost';

interface VapidKey {
  /** Uncompressed point in Base64, as browsers expect. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/**
 * The key with which this server identifies itself to push services (RFC 8292). It is derived from the server's secret,
 * so that all nodes share it and no table contains it. A subscription is bound to one key: while a secret is being
 * replaced, the previous secret's key signs for browsers that were registered under it.
 */
@Injectable()
export class Vapid {
  private readonly known: readonly VapidKey[];

  constructor(
    keys: DerivedKeys,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    this.known = [keys.current(PURPOSE), keys.previous(PURPOSE)].filter((key) => key !== null).map(keyOf);
  }

  /** The key for new subscriptions. */
  get publicKey(): string {
    return this.known[0]!.publicKey;
  }

  /**
   * The header that authenticates a request to a push service.
   * @returns null for a key that this server no longer has
   */
  authorization(endpoint: string, publicKey: string): string | null {
    const key = this.known.find((each) => each.publicKey === publicKey);
    if (!key) return null;
    const { externalUrl } = this.config;
    const claims = {
      aud: new URL(endpoint).origin,
      exp: this.clock.nowSeconds() + TOKEN_SECONDS,
      sub: externalUrl.startsWith('https:') ? externalUrl : NO_CONTACT,
    };
    const text = [{ typ: 'JWT', alg: 'ES256' }, claims].map(encoded).join('.');
    const signature = sign('sha256', Buffer.from(text), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
    return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`;
  }
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Nearly all 32-byte values are valid keys of the curve; others are hashed until they are. */
function keyOf(seed: Buffer): VapidKey {
  const pair = createECDH('prime256v1');
  for (let bytes = seed; ; bytes = createHash('sha256').update(bytes).digest()) {
    try {
      pair.setPrivateKey(bytes);
      break;
    } catch {
      continue;
    }
  }
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((each) => each.toString('base64url'));
  // Padded, since the buffer lacks leading zeros, which the other format requires.
  const d = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
    .subarray(-32)
    .toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d };
  return {
    publicKey: point.toString('base64url'),
    privateKey: createPrivateKey({ key: jwk as never, format: 'jwk' }),
  };
}

/** The result of a push message. */
type PushOutcome =
  | { readonly kind: 'delivered' }
  /** The subscription no longer exists. */
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** Whether a retry may succeed. */
      readonly isPassing: boolean;
    };

const OUTCOMES: readonly PushOutcome['kind'][] = ['delivered', 'gone', 'failed'];

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** How long push services keep a message for a browser that is offline; after a day it is outdated. */
const KEPT_SECONDS = 86_400;

/** Status codes of push services for a subscription that no longer exists. */
const GONE = [404, 410];

/** Status codes for temporary failures. */
const PASSING = [408, 425, 429];

/** Encrypts messages for browsers and sends them to their push services. */
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

  /** @param signal aborts the request, which counts as a temporary failure */
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
          // The signature is valid only for this push service.
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
   * Messages of one conversation replace each other at the push service, which cannot identify the conversation or its
   * participants.
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

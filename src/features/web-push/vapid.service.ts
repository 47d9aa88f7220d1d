import { createECDH, createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { Config } from '../../platform/config/config';
import { DerivedKeys } from '../../platform/secrets/server-secret';

const PURPOSE = 'web-push';

/** Push services refuse tokens that are valid for more than a day. */
const TOKEN_SECONDS = 12 * 3600;

/** What push services get to know as the contact of a server that has no public address. */
const NO_CONTACT = 'mailto:webmaster@localhost';

interface VapidKey {
  /** Uncompressed point in Base64, as browsers take it. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/**
 * The key with which this server identifies itself to push services (RFC 8292). It is derived from the server's secret,
 * so that all nodes share it and it is in no table. A subscription is bound to one key: while a secret is replaced, the
 * key of the previous one signs for browsers that were registered under it.
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
   * The header with which a request to a push service is signed.
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

/** Hardly any 32 bytes are no key of the curve; those are hashed until they are. */
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
  // Without leading zeros, which the other form needs.
  const d = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
    .subarray(-32)
    .toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d };
  return {
    publicKey: point.toString('base64url'),
    privateKey: createPrivateKey({ key: jwk as never, format: 'jwk' }),
  };
}

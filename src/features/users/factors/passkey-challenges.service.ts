import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { isSameSecret } from '../../../platform/secrets/secret-links';
import { Sealer } from '../../../platform/secrets/server-secret';
import { sha256 } from './authenticator-data';
import { NoPasskeysHere, PASSKEY_LIMITS } from './passkeys.api';

const PURPOSE = 'passkey-challenges';
const LIFETIME_SECONDS = 300;

/** What a passkey is to do. */
type Ceremony = 'add' | 'use';

/** What a passkey is to sign. */
export interface PasskeyChallenge {
  readonly challenge: string;
  /** UNIX seconds. */
  readonly expiresAt: number;
}

interface SealedChallenge extends PasskeyChallenge {
  readonly ceremony: Ceremony;
  /** Names the session in which alone it counts; empty while nobody is signed in. */
  readonly sessionId: string;
}

/** A challenge as a browser gets it. */
export interface MadeChallenge {
  readonly challenge: string;
  /** To be sent back with the answer. */
  readonly state: string;
  /** Milliseconds that the browser waits. */
  readonly timeout: number;
}

/** What a browser needs to use a passkey. */
export interface UseChallenge extends Pick<MadeChallenge, 'state'> {
  readonly options: UseOptions;
}

/** Options of WebAuthn, without a list of passkeys: the browser knows them. */
export interface UseOptions extends Omit<MadeChallenge, 'state'> {
  readonly rpId: string;
  readonly userVerification: 'required';
}

/**
 * Challenges for passkeys, and the site for which they are. They are sealed and kept by the browser, so that strangers
 * leave nothing on the server; the answer is checked to count once.
 */
@Injectable()
export class PasskeyChallenges {
  constructor(
    private readonly sealer: Sealer,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** The host for which passkeys are made; null where browsers have none. */
  get site(): string | null {
    const { hostname, protocol } = new URL(this.config.externalUrl);
    const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
    const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
    return isLocal || (protocol === 'https:' && !isAddress) ? hostname : null;
  }

  /** The same. @throws NoPasskeysHere */
  requireSite(): string {
    const { site } = this;
    if (site === null) throw new NoPasskeysHere();
    return site;
  }

  /** @param sessionId of the session that asks; empty for browsers in which nobody is signed in */
  make(ceremony: Ceremony, sessionId: string): MadeChallenge {
    const challenge = randomBytes(32).toString('base64url');
    const expiresAt = this.clock.nowSeconds() + LIFETIME_SECONDS;
    const sealed: SealedChallenge = { challenge, expiresAt, ceremony, sessionId };
    const state = this.sealer.seal(PURPOSE, JSON.stringify(sealed));
    return { challenge, state, timeout: LIFETIME_SECONDS * 1000 };
  }

  /** What a browser needs to use a passkey of this site, whosever it is. @throws NoPasskeysHere */
  toUse(sessionId = ''): UseChallenge {
    const { state, ...made } = this.make('use', sessionId);
    return { state, options: { ...made, rpId: this.requireSite(), userVerification: 'required' } };
  }

  /** The challenge that an answer is for; null if it is another one, over, of another session, or for another site. */
  answered(
    { state, clientData }: { readonly state: string; readonly clientData: Buffer },
    ceremony: Ceremony,
    sessionId: string,
  ): PasskeyChallenge | null {
    const opened = state.length > PASSKEY_LIMITS.state ? null : this.sealer.open(PURPOSE, state);
    if (opened === null) return null;
    const sealed = JSON.parse(opened) as SealedChallenge;
    const isCurrent = sealed.expiresAt > this.clock.nowSeconds();
    const isFor = sealed.ceremony === ceremony && sealed.sessionId === sessionId;
    return isCurrent && isFor && this.isAnswered(clientData, sealed) ? sealed : null;
  }

  /** Whether an authenticator has signed for this site. */
  isOfSite(siteHash: Buffer): boolean {
    const { site } = this;
    return site !== null && siteHash.equals(sha256(site));
  }

  /** Browsers say what they did, on which page, and that no other page contained it. */
  private isAnswered(clientData: Buffer, { challenge, ceremony }: SealedChallenge): boolean {
    const said = objectIn(clientData);
    const text = (name: string) => (typeof said[name] === 'string' ? said[name] : '');
    return (
      text('type') === (ceremony === 'add' ? 'webauthn.create' : 'webauthn.get') &&
      isSameSecret(text('challenge'), challenge) &&
      text('origin') === new URL(this.config.externalUrl).origin &&
      (said['crossOrigin'] === undefined || said['crossOrigin'] === false) &&
      said['topOrigin'] === undefined
    );
  }
}

function objectIn(json: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

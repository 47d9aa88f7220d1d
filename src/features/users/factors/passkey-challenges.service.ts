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

/** The purpose of a challenge. */
type Ceremony = 'add' | 'use';

/** A challenge for a passkey to sign. */
export interface PasskeyChallenge {
  readonly challenge: string;
  /** UNIX seconds. */
  readonly expiresAt: number;
}

interface SealedChallenge extends PasskeyChallenge {
  readonly ceremony: Ceremony;
  /** ID of the session in which it is valid; empty before sign-in. */
  readonly sessionId: string;
}

/** A challenge as sent to a browser. */
export interface NewChallenge {
  readonly challenge: string;
  /** Opaque; the browser returns it with the response. */
  readonly state: string;
  /** How long the browser waits, in milliseconds. */
  readonly timeout: number;
}

/** The data that a browser needs to use a passkey. */
export interface UseChallenge extends Pick<NewChallenge, 'state'> {
  readonly options: UseOptions;
}

/** WebAuthn options without a list of passkeys: the browser knows its own. */
export interface UseOptions extends Omit<NewChallenge, 'state'> {
  readonly rpId: string;
  readonly userVerification: 'required';
}

/**
 * Creates and verifies challenges for passkeys of this site. They are sealed and kept by the browser, so that strangers
 * store nothing on the server; each response is accepted once.
 */
@Injectable()
export class PasskeyChallenges {
  constructor(
    private readonly sealer: Sealer,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** The host for which passkeys are created; null if browsers do not support passkeys there. */
  get site(): string | null {
    const { hostname, protocol } = new URL(this.config.externalUrl);
    const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
    const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
    return isLocal || (protocol === 'https:' && !isAddress) ? hostname : null;
  }

  /** Like `site`. @throws NoPasskeysHere */
  requireSite(): string {
    const { site } = this;
    if (site === null) throw new NoPasskeysHere();
    return site;
  }

  /** @param sessionId of the requesting session; empty before sign-in */
  make(ceremony: Ceremony, sessionId: string): NewChallenge {
    const challenge = randomBytes(32).toString('base64url');
    const expiresAt = this.clock.nowSeconds() + LIFETIME_SECONDS;
    const sealed: SealedChallenge = { challenge, expiresAt, ceremony, sessionId };
    const state = this.sealer.seal(PURPOSE, JSON.stringify(sealed));
    return { challenge, state, timeout: LIFETIME_SECONDS * 1000 };
  }

  /** The options to use any passkey of this site. @throws NoPasskeysHere */
  toUse(sessionId = ''): UseChallenge {
    const { state, ...made } = this.make('use', sessionId);
    return { state, options: { ...made, rpId: this.requireSite(), userVerification: 'required' } };
  }

  /** The challenge that a response answers; null if it is unknown, expired, of another session, or for another site. */
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

  /** Whether an authenticator signed for this site. */
  isOfSite(siteHash: Buffer): boolean {
    const { site } = this;
    return site !== null && siteHash.equals(sha256(site));
  }

  /** Checks the client data: the operation, the origin, and that the page was not embedded in another one. */
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

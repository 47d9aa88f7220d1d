import { deflateRawSync } from 'node:zlib';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import type { SamlProvider } from '../../../platform/config/identity-providers';
import { TransactionService } from '../../../platform/database/transaction.service';
import { NONCE_LENGTH, SecretLinks, SIGNATURE_LENGTH } from '../../../platform/secrets/secret-links';
import { Sealer } from '../../../platform/secrets/server-secret';
import { escapedXml } from '../../../platform/xml';
import { LoginSessionService } from '../../users/users.module';
import type { PersonClaims } from '../claims';
import { ProviderFailed } from '../identity-providers.api';
import { PERSISTENT, readResponse, ResponseRefused } from './saml-response';

const REQUESTS = 'saml-requests';
const ANSWERS = 'saml-answers';

/** Time limit for the sign-in at the provider. */
const REQUEST_SECONDS = 600;

/** Time limit for the browser to collect the response that it just posted. */
const ANSWER_SECONDS = 60;

/** Size limit of decoded responses; usual ones have about 10 KiB, with hundreds of groups 40 KiB. */
const MAX_RESPONSE_BYTES = 96 * 1024;

/** Size limit of the form: allows for Base64, line breaks and escapes. */
export const MAX_FORM_BYTES = 2 * MAX_RESPONSE_BYTES;

/** Maximum elements, attributes and texts, which are counted before parsing; enough for 700 groups. */
const MAX_PIECES = 1_500;

/** Maximum distinct element names: the parser searches the whole text for each. Responses have about 25. */
const MAX_NAMES = 60;

/** A request to a provider, as restored from the `RelayState` of the response. */
interface SentRequest {
  readonly id: string;
  /** UNIX seconds. */
  readonly endsAt: number;
}

/**
 * SAML 2.0 client: sends requests with a redirect, and receives responses as a form that the browser posts. That form
 * comes from another site, and therefore without the cookie of the attempt, so the claims are stored sealed until the
 * browser returns with the cookie.
 */
@Injectable()
export class SamlClient {
  private readonly logger = new Logger(SamlClient.name);

  constructor(
    private readonly config: Config,
    private readonly links: SecretLinks,
    private readonly sealer: Sealer,
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
    sessions: LoginSessionService,
  ) {
    sessions.alsoExpire('saml_answer', 'ends_at');
  }

  /** Entity ID of this server. */
  get entityId(): string {
    return this.config.externalUrl;
  }

  /** URL to which browsers post the responses of a provider. */
  consumerUrl({ name }: SamlProvider): string {
    return `${this.config.externalUrl}/complete/saml/${name}/`;
  }

  /**
   * Begins a sign-in attempt.
   * @param isAgain whether the provider must authenticate the person again despite an existing session there
   * @returns the `RelayState`, and the URL at the provider
   */
  begin(provider: SamlProvider, isAgain: boolean): { state: string; url: string } {
    const start = `${SecretLinks.newNonce()} ${this.clock.nowSeconds()}`;
    const [nonce = '', startedAt = ''] = start.split(' ');
    const state = nonce + this.links.signature(REQUESTS, `${provider.name} ${start}`) + startedAt;
    const request = deflateRawSync(this.requestOf(provider, idOf(state), isAgain)).toString('base64');
    const url = new URL(provider.signInUrl);
    url.searchParams.set('SAMLRequest', request);
    url.searchParams.set('RelayState', state);
    return { state, url: url.href };
  }

  /** Whether this is the `RelayState` of a request to the provider that has not expired. */
  isAsked(provider: SamlProvider, state: string): boolean {
    return this.requestIn(provider, state) !== null;
  }

  /**
   * Stores the claims of a response, once for each request. Parses the response only if it was requested and refers to
   * that request.
   * @param encoded Base64
   * @throws ProviderFailed
   */
  async receive(provider: SamlProvider, state: string, encoded: string): Promise<void> {
    const request = this.requestIn(provider, state);
    if (!request)
      throw this.refused(provider, 'Response not requested, or requested more than ten minutes ago.');
    const claims = this.claimsIn(provider, request, encoded);
    const isFirst = await this.transactions.run(async (tx) => {
      const kept = await tx.query(
        `INSERT INTO saml_answer (request_id, sealed_claims, created_at, ends_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (request_id) DO NOTHING RETURNING id`,
        [
          request.id,
          this.sealer.seal(ANSWERS, JSON.stringify(claims)),
          this.clock.nowSeconds(),
          request.endsAt,
        ],
      );
      return kept.length === 1;
    });
    if (!isFirst) throw this.refused(provider, 'Response already used.');
  }

  /** Returns the claims of a stored response, once. @throws ProviderFailed */
  async take(provider: SamlProvider, state: string): Promise<PersonClaims> {
    const since = this.clock.nowSeconds() - ANSWER_SECONDS;
    const sealed = await this.transactions.run(async (tx) => {
      const [answer] = await tx.query<{ readonly sealed: string | null }>(
        'SELECT sealed_claims AS sealed FROM saml_answer WHERE request_id = ? AND created_at > ?',
        [idOf(state), since],
      );
      const taken = await tx.query(
        'UPDATE saml_answer SET sealed_claims = NULL WHERE request_id = ? AND sealed_claims IS NOT NULL RETURNING id',
        [idOf(state)],
      );
      return taken.length === 1 ? (answer?.sealed ?? null) : null;
    });
    const text = sealed === null ? null : this.sealer.open(ANSWERS, sealed);
    if (text === null) throw this.refused(provider, 'No response, or already used.');
    return JSON.parse(text) as PersonClaims;
  }

  /** The problem with a provider's certificates; null if there is none. */
  problemOf({ certificates }: SamlProvider): string | null {
    const ends = certificates.map(({ validTo }) => Date.parse(validTo));
    const last = Math.max(...ends);
    return last > this.clock.nowMs()
      ? null
      : `Certificate expired on ${new Date(last).toISOString().slice(0, 10)}. Get the current one from the provider.`;
  }

  /** SAML metadata of this server for providers. */
  metadata(providers: readonly SamlProvider[]): string {
    const consumers = providers.map(
      (provider, index) =>
        `<md:AssertionConsumerService Binding="${POST}" Location="${escapedXml(this.consumerUrl(provider))}" index="${index}"/>`,
    );
    return (
      `<?xml version="1.0" encoding="UTF-8"?>\n` +
      `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escapedXml(this.entityId)}">` +
      `<md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="${PROTOCOL}">` +
      `<md:NameIDFormat>${PERSISTENT}</md:NameIDFormat>${consumers.join('')}` +
      `</md:SPSSODescriptor></md:EntityDescriptor>\n`
    );
  }

  private requestOf(provider: SamlProvider, id: string, isAgain: boolean): string {
    const attributes = {
      'xmlns:samlp': PROTOCOL,
      'xmlns:saml': 'urn:oasis:names:tc:SAML:2.0:assertion',
      ID: id,
      Version: '2.0',
      IssueInstant: new Date(this.clock.nowMs()).toISOString(),
      Destination: provider.signInUrl,
      ...(isAgain && { ForceAuthn: 'true' }),
      AssertionConsumerServiceURL: this.consumerUrl(provider),
      ProtocolBinding: POST,
    };
    const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapedXml(value)}"`);
    const policy =
      provider.id_attribute === undefined
        ? `<samlp:NameIDPolicy Format="${PERSISTENT}" AllowCreate="true"/>`
        : '';
    return `<samlp:AuthnRequest${written.join('')}><saml:Issuer>${escapedXml(this.entityId)}</saml:Issuer>${policy}</samlp:AuthnRequest>`;
  }

  private requestIn(provider: SamlProvider, state: string): SentRequest | null {
    const nonce = state.slice(0, NONCE_LENGTH);
    const signature = state.slice(NONCE_LENGTH, NONCE_LENGTH + SIGNATURE_LENGTH);
    const startedAt = state.slice(NONCE_LENGTH + SIGNATURE_LENGTH);
    if (!/^\d{10,11}$/.test(startedAt)) return null;
    if (!this.links.matches(REQUESTS, `${provider.name} ${nonce} ${startedAt}`, signature)) return null;
    const endsAt = Number(startedAt) + REQUEST_SECONDS;
    return endsAt > this.clock.nowSeconds() ? { id: idOf(state), endsAt } : null;
  }

  private claimsIn(provider: SamlProvider, { id }: SentRequest, encoded: string): PersonClaims {
    try {
      const text = decoded(encoded);
      if (!text.includes(`InResponseTo="${id}"`) && !text.includes(`InResponseTo='${id}'`))
        throw new ResponseRefused('InResponseTo is not the ID of the request.');
      return readResponse(text, {
        provider,
        requestId: id,
        recipients: [this.consumerUrl(provider), `${this.config.externalUrl}/complete/saml/`],
        audience: this.entityId,
        now: this.clock.nowSeconds(),
      });
    } catch (error) {
      if (error instanceof ResponseRefused) throw this.refused(provider, error.message);
      throw error;
    }
  }

  /** Logs why a sign-in failed. @param reason in full sentences @returns the error to throw */
  refused({ name, label }: SamlProvider, reason: string): ProviderFailed {
    // The reason may quote untrusted input, which must not start a new log line.
    this.logger.warn(
      `Signing in with ${name} failed: ${reason.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, 400)}`,
    );
    return new ProviderFailed(label);
  }
}

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

/** The request ID for a state: the prefix keeps it from starting with a digit, which XML forbids. */
function idOf(state: string): string {
  return `_${state}`;
}

/** Decodes a response. @throws ResponseRefused if it is too large or not UTF-8 text */
function decoded(encoded: string): string {
  // Removes spaces before the format test; allowing them there would cause quadratic backtracking.
  const base64 = encoded.replaceAll(/\s+/g, '');
  if (!/^[\w+/]+={0,2}$/.test(base64)) throw new ResponseRefused('Response is not Base64.');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_RESPONSE_BYTES) throw new ResponseRefused('Response too long.');
  const text = bytes.toString('utf8');
  // Invalid bytes would be replaced, so that the signature check would see a different text.
  if (!Buffer.from(text).equals(bytes)) throw new ResponseRefused('Response is not UTF-8.');
  if (text.split(/[<=&]/, MAX_PIECES + 1).length > MAX_PIECES)
    throw new ResponseRefused(
      'Response has too many elements and attributes. Have the provider send fewer groups.',
    );
  const names = new Set(Array.from(text.matchAll(/<\/?([^\s<>/]+)/g), ([, name]) => name));
  if (names.size > MAX_NAMES) throw new ResponseRefused('Response has too many different elements.');
  return text;
}

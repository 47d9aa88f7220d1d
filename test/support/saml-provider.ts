import { createHmac, createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { FIRST, SIGNER } from './tls/identities';

/** External URL of the test server. */
const SITE = 'http://chat.example.com';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** Formats of name IDs. */
export const NAME_ID = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
};

/** The provider's request, as delivered by a browser. */
export interface SamlRequest {
  readonly xml: string;
  readonly id: string;
  readonly recipient: string;
  readonly relayState: string;
}

/** The parts of a response that a provider may get wrong, intentionally or not. */
export interface SamlResponse {
  readonly issuer: string;
  /** Issuer of the assertion, if different. */
  readonly assertionIssuer?: string;
  readonly audience: string;
  readonly destination: string;
  readonly recipient: string;
  readonly inResponseTo: string;
  /** Recipient in the subject confirmation, if different; empty for none. */
  readonly confirmed?: string;
  readonly nameId: string;
  readonly format: string;
  readonly attributes: Readonly<Record<string, string | readonly string[]>>;
  readonly context: string;
  readonly status: string;
  /** UNIX milliseconds. */
  readonly now: number;
  readonly validMs: number;
  readonly conditions: string;
  readonly method: string;
  readonly assertionId: string;
  readonly responseId: string;
}

/** How to sign a text. */
export interface Signing {
  readonly key?: KeyObject;
  readonly signature?: string;
  readonly digest?: string;
  readonly canonical?: string;
  readonly transforms?: readonly string[];
}

/** A SAML provider: signs whatever a test requires, with its own certificate. */
export class TestSamlProvider {
  readonly entityId = 'https://idp.example.com/saml';
  readonly key = createPrivateKey(readFileSync(SIGNER.keyPath));
  private readonly folder = mkdtempSync(join(tmpdir(), 'parley-saml-'));

  constructor(
    readonly now: () => number = Date.now,
    readonly signInUrl = 'https://idp.example.com/sso?tenant=1',
  ) {}

  /** A configuration file for the test server. */
  fileOf(blocks: readonly Readonly<Record<string, unknown>>[]): string {
    writeFileSync(join(this.folder, 'metadata.xml'), this.metadata());
    const path = join(this.folder, 'providers.json');
    const whole = blocks.map((block) => ({
      label: `The ${String(block.name)} account`,
      protocol: 'saml',
      metadata_file: 'metadata.xml',
      ...block,
    }));
    writeFileSync(path, JSON.stringify(whole));
    return path;
  }

  /** Its metadata, including its previous key. */
  metadata(): string {
    const body = (pem: Buffer) => pem.toString().replaceAll(/-----[A-Z ]+-----/g, '');
    const key = (pem: Buffer, use = '') =>
      `<KeyDescriptor${use}><ds:KeyInfo xmlns:ds="${DSIG}"><ds:X509Data><ds:X509Certificate>${body(pem)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`;
    return `<?xml version="1.0" encoding="UTF-8"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${this.entityId}">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    ${key(FIRST.cert, ' use="signing"')}${key(SIGNER.cert)}
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example.com/post"/>
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${this.signInUrl}"/>
  </IDPSSODescriptor>
</EntityDescriptor>`;
  }

  stop(): void {
    rmSync(this.folder, { recursive: true });
  }

  /** The request with which the server redirected a browser here. */
  asked(location: unknown): SamlRequest {
    const { searchParams } = new URL(String(location));
    const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? '';
    return {
      xml,
      id: attribute('ID'),
      recipient: attribute('AssertionConsumerServiceURL'),
      relayState: searchParams.get('RelayState') ?? '',
    };
  }

  /** A correct response. */
  right(request: Pick<SamlRequest, 'id' | 'recipient'>): SamlResponse {
    return {
      issuer: this.entityId,
      audience: SITE,
      destination: request.recipient,
      recipient: request.recipient,
      inResponseTo: request.id,
      nameId: 'ada-1',
      format: NAME_ID.persistent,
      attributes: { email: 'ada@example.com', name: 'Ada Lovelace' },
      context: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
      status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      now: this.now(),
      validMs: 300_000,
      conditions: '',
      method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
      assertionId: `_a${randomUUID()}`,
      responseId: `_r${randomUUID()}`,
    };
  }

  /** A response with a signed assertion, as sent by Entra ID. */
  signedAssertion(response: SamlResponse, signing: Signing = {}): string {
    return envelope(response, this.sign(assertion(response), 'Assertion', signing));
  }

  /** A response signed as a whole, as sent by Keycloak. */
  signedResponse(response: SamlResponse, signing: Signing = {}): string {
    return this.sign(envelope(response, assertion(response)), 'Response', signing);
  }

  /** Modifies the signed info and signs it again. @param change keeps it canonical, apart from empty elements */
  resigned(xml: string, change: (info: string) => string): string {
    const [info = ''] = /<ds:SignedInfo.*<\/ds:SignedInfo>/s.exec(xml) ?? [];
    const changed = change(info);
    const canonical = changed
      .replace('<ds:SignedInfo', `<ds:SignedInfo xmlns:ds="${DSIG}"`)
      .replaceAll(/<([\w:]+)([^<>]*)\/>/g, '<$1$2></$1>');
    const value = sign('sha256', Buffer.from(canonical), this.key).toString('base64');
    return xml.replace(info, changed).replace(/<ds:SignatureValue>[^<]*/, `<ds:SignatureValue>${value}`);
  }

  /** Signs a top-level element, after its issuer. */
  sign(xml: string, name: string, signing: Signing = {}): string {
    const signed = new SignedXml({
      privateKey: signing.key ?? this.key,
      publicCert: SIGNER.cert,
      signatureAlgorithm: signing.signature ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      canonicalizationAlgorithm: signing.canonical ?? EXCLUSIVE,
    });
    Object.assign(signed.SignatureAlgorithms, OTHER_SIGNATURES);
    signed.addReference({
      xpath: `/*[local-name(.)='${name}']`,
      digestAlgorithm: signing.digest ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
      transforms: [...(signing.transforms ?? [`${DSIG}enveloped-signature`, EXCLUSIVE])],
    });
    const reference = `/*[local-name(.)='${name}']/*[local-name(.)='Issuer']`;
    signed.computeSignature(xml, { prefix: 'ds', location: { reference, action: 'after' } });
    return signed.getSignedXml();
  }
}

/** With elliptic curves, and with the public key as an HMAC secret. */
const OTHER_SIGNATURES = Object.fromEntries(
  Object.entries({
    'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256': (text: string, key: KeyObject) =>
      sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }),
    [`${DSIG}hmac-sha1`]: (text: string) => createHmac('sha1', SIGNER.cert).update(text).digest(),
  }).map(([uri, made]) => [
    uri,
    class {
      getAlgorithmName = () => uri;
      getSignature = (text: unknown, key: unknown) => made(String(text), key as KeyObject).toString('base64');
      verifySignature = () => false;
    },
  ]),
);

/** The contents of a response. */
export function assertion(response: SamlResponse): string {
  const { issuer, assertionIssuer = issuer, recipient, inResponseTo, confirmed = inResponseTo } = response;
  const at = (ms: number) => new Date(response.now + ms).toISOString();
  const attributes = Object.entries(response.attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${[values]
        .flat()
        .map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  );
  const answers = confirmed === '' ? '' : ` InResponseTo="${confirmed}"`;
  return (
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${response.assertionId}" Version="2.0" IssueInstant="${at(0)}">` +
    `<saml:Issuer>${assertionIssuer}</saml:Issuer><saml:Subject>` +
    `<saml:NameID Format="${response.format}">${response.nameId}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="${response.method}">` +
    `<saml:SubjectConfirmationData Recipient="${recipient}"${answers} NotOnOrAfter="${at(response.validMs)}"/>` +
    `</saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${at(0)}" NotOnOrAfter="${at(response.validMs)}">` +
    `<saml:AudienceRestriction><saml:Audience>${response.audience}</saml:Audience></saml:AudienceRestriction>${response.conditions}</saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>${response.context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion>`
  );
}

/** A response with these contents. */
export function envelope(response: SamlResponse, inside: string): string {
  const { issuer, destination, inResponseTo, status, now, responseId } = response;
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${responseId}" Version="2.0" IssueInstant="${new Date(now).toISOString()}" Destination="${destination}" InResponseTo="${inResponseTo}">` +
    `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${issuer}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>${inside}</samlp:Response>`
  );
}

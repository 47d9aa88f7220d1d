import { createHash, type KeyObject, verify } from 'node:crypto';
import type { SamlProvider } from '../../../platform/config/identity-providers';
import { childrenOf, elementsIn, MalformedXml, parseXml, type XmlElement } from '../../../platform/xml';
import type { PersonClaims } from '../claims';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const SAML = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** Format of name IDs that never change and are never reassigned. */
export const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/** Allowed clock skew between provider and server. */
const SKEW_SECONDS = 60;

/** Authentication contexts that prove a second factor, by the names of different providers. */
const STRONG_CONTEXTS = [
  'https://refeds.org/profile/mfa',
  'http://schemas.microsoft.com/claims/multipleauthn',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered',
];

/** Attribute in which Entra ID and ADFS list the authentication methods. */
const METHODS_ATTRIBUTE = 'http://schemas.microsoft.com/claims/authnmethodsreferences';

/** A response is invalid. The message is for the log. */
export class ResponseRefused extends Error {}

/** What a response must match. */
export interface ExpectedResponse {
  readonly provider: SamlProvider;
  readonly requestId: string;
  /** URLs at which this server receives it. */
  readonly recipients: readonly string[];
  /** Entity ID of this server. */
  readonly audience: string;
  /** UNIX seconds. */
  readonly now: number;
}

/**
 * Validates a response and returns its claims (SAML 2.0 Profiles, 4.1.4). Takes claims only from the signed bytes,
 * which it parses as a separate document; the rest can only cause a refusal. @throws ResponseRefused
 */
export function readResponse(text: string, expected: ExpectedResponse): PersonClaims {
  const response = parsed(text);
  refuseUnless(isNamed(response, PROTOCOL, 'Response'), 'Not a SAML response.');
  requireEnvelope(response, expected);
  const signed = signedCopy(text, response, expected.provider.keys);
  if (signed) {
    requireEnvelope(signed, expected);
    return personIn(onlyAssertion(signed), expected);
  }
  const assertion = signedCopy(text, onlyAssertion(response), expected.provider.keys);
  if (!assertion)
    throw new ResponseRefused('Response not signed. Have the provider sign responses or assertions.');
  return personIn(assertion, expected);
}

function refuseUnless(isRight: boolean, reason: string): asserts isRight {
  if (!isRight) throw new ResponseRefused(reason);
}

function parsed(text: string): XmlElement {
  try {
    return parseXml(text);
  } catch (error) {
    if (error instanceof MalformedXml) throw new ResponseRefused(`Not well-formed XML: ${error.message}.`);
    throw error;
  }
}

function isNamed({ localName, namespaceURI }: XmlElement, namespace: string, name: string): boolean {
  return localName === name && namespaceURI === namespace;
}

function requireEnvelope(response: XmlElement, { provider, requestId, recipients }: ExpectedResponse): void {
  const status = only(only(response, PROTOCOL, 'Status'), PROTOCOL, 'StatusCode').getAttribute('Value') ?? '';
  refuseUnless(status === SUCCESS, `The provider refused: status ${status}.`);
  const destination = response.getAttribute('Destination') ?? '';
  refuseUnless(
    destination === '' || recipients.includes(destination),
    `Destination ${destination} is not this server.`,
  );
  refuseUnless(
    response.getAttribute('InResponseTo') === requestId,
    'InResponseTo is not the ID of the request.',
  );
  for (const issuer of childrenOf(response, SAML, 'Issuer'))
    refuseUnless(textOf(issuer) === provider.entityId, `Issuer ${textOf(issuer)} is not the provider.`);
}

function onlyAssertion(response: XmlElement): XmlElement {
  const isEncrypted = childrenOf(response, SAML, 'EncryptedAssertion').length > 0;
  refuseUnless(!isEncrypted, 'Encrypted assertions are not supported. Turn off encryption at the provider.');
  return only(response, SAML, 'Assertion');
}

function only(parent: XmlElement, namespace: string, name: string): XmlElement {
  const [one, another] = childrenOf(parent, namespace, name);
  if (!one || another) throw new ResponseRefused(`${parent.localName} must contain exactly one ${name}.`);
  return one;
}

/** Text of an element without children. Canonical XML has no comments that could truncate it. */
function textOf(element: XmlElement): string {
  refuseUnless(elementsIn(element).length === 0, `${element.localName} must contain only text.`);
  return (element.textContent ?? '').trim();
}

/** Claims of a signed assertion. */
function personIn(assertion: XmlElement, expected: ExpectedResponse): PersonClaims {
  const { provider, now } = expected;
  refuseUnless(assertion.getAttribute('Version') === '2.0', 'The assertion is not SAML 2.0.');
  const issuer = textOf(only(assertion, SAML, 'Issuer'));
  refuseUnless(issuer === provider.entityId, `Issuer ${issuer} of the assertion is not the provider.`);
  requireConditions(only(assertion, SAML, 'Conditions'), expected);
  const about = only(assertion, SAML, 'Subject');
  requireBearer(only(about, SAML, 'SubjectConfirmation'), expected);
  const statements = childrenOf(assertion, SAML, 'AuthnStatement');
  refuseUnless(statements.length > 0, 'The assertion has no AuthnStatement.');
  for (const each of statements) {
    const end = timeOf(each, 'SessionNotOnOrAfter');
    refuseUnless(end === null || end > now - SKEW_SECONDS, 'The session at the provider has ended.');
  }
  const written = attributesOf(assertion);
  const attributes = new Map(
    Array.from(written, ([name, values]) => [name, values.map((each) => each.trim())]),
  );
  const first = (name: string) => attributes.get(name)?.[0];
  const contexts = statements
    .flatMap((each) => childrenOf(each, SAML, 'AuthnContext'))
    .flatMap((each) => childrenOf(each, SAML, 'AuthnContextClassRef'))
    .map(textOf);
  const methods = [...contexts, ...(attributes.get(METHODS_ATTRIBUTE) ?? [])];
  const isStrong = methods.some((each) => STRONG_CONTEXTS.includes(each));
  return {
    ...missingGroups(provider, attributes),
    ...Object.fromEntries(attributes),
    sub: personIdOf(about, expected, written),
    email: first(provider.email_attribute),
    // SAML has no such claim, and an attribute with this name must not become one.
    email_verified: undefined,
    name: first(provider.name_attribute),
    amr: isStrong ? ['mfa'] : [],
    auth_time: Math.min(...statements.map((each) => timeOf(each, 'AuthnInstant') ?? now)),
    sid: undefined,
  };
}

/** Attribute that Entra ID sends instead of groups for people in very many: a link to fetch them. */
const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link';

/** An empty groups claim, since providers omit it for people without groups, who must lose their former ones. */
function missingGroups(
  { groups_claim: name }: SamlProvider,
  attributes: ReadonlyMap<string, readonly string[]>,
): Readonly<Record<string, readonly string[]>> {
  return name === undefined || attributes.has(GROUPS_LINK) ? {} : { [name]: [] };
}

/** The person's ID, never trimmed: some providers have people whose IDs differ only in spaces. */
function personIdOf(
  about: XmlElement,
  { provider: { id_attribute: name, entityId }, audience }: ExpectedResponse,
  attributes: ReadonlyMap<string, readonly string[]>,
): string {
  if (name !== undefined) {
    const [value = '', another] = attributes.get(name) ?? [];
    refuseUnless(value === value.trim(), `Attribute ${name} must not start or end with blanks.`);
    refuseUnless(value !== '' && another === undefined, `Attribute ${name} must have exactly one value.`);
    return value;
  }
  const id = only(about, SAML, 'NameID');
  const format = id.getAttribute('Format') ?? 'none';
  refuseUnless(
    format === PERSISTENT,
    `Name ID format ${format} may change or be reassigned. Have the provider send a persistent name ID, or set "id_attribute".`,
  );
  // A name ID is unique only within its qualifiers; a provider that relays it keeps those of its origin.
  const [by = '', to = ''] = ['NameQualifier', 'SPNameQualifier'].map((each) => id.getAttribute(each) ?? '');
  refuseUnless(by === '' || by === entityId, `NameQualifier ${by} is not the provider.`);
  refuseUnless(to === '' || to === audience, `SPNameQualifier ${to} is not this server.`);
  const value = textOf(id);
  refuseUnless(
    value !== '' && value === id.textContent,
    'The name ID is empty, or starts or ends with blanks.',
  );
  return value;
}

const CONDITIONS = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'];

function requireConditions(conditions: XmlElement, { audience, now }: ExpectedResponse): void {
  requireTimes(conditions, now);
  const known = elementsIn(conditions).every(
    ({ namespaceURI, localName }) => namespaceURI === SAML && CONDITIONS.includes(localName),
  );
  refuseUnless(known, 'The assertion has an unknown condition.');
  const restrictions = childrenOf(conditions, SAML, 'AudienceRestriction');
  const isMeant = restrictions.every((each) =>
    childrenOf(each, SAML, 'Audience').some((one) => textOf(one) === audience),
  );
  refuseUnless(restrictions.length > 0 && isMeant, `Audience is not ${audience}.`);
}

function requireBearer(confirmation: XmlElement, { requestId, recipients, now }: ExpectedResponse): void {
  refuseUnless(confirmation.getAttribute('Method') === BEARER, 'The subject is not confirmed as bearer.');
  const data = only(confirmation, SAML, 'SubjectConfirmationData');
  const recipient = data.getAttribute('Recipient') ?? '';
  refuseUnless(
    recipients.includes(recipient),
    recipient === '' ? 'Recipient missing.' : `Recipient ${recipient} is not this server.`,
  );
  refuseUnless(
    data.getAttribute('InResponseTo') === requestId,
    'InResponseTo of the assertion is not the ID of the request.',
  );
  refuseUnless(timeOf(data, 'NotOnOrAfter') !== null, 'NotOnOrAfter missing in SubjectConfirmationData.');
  requireTimes(data, now);
}

function requireTimes(element: XmlElement, now: number): void {
  const [start, end] = [timeOf(element, 'NotBefore'), timeOf(element, 'NotOnOrAfter')];
  refuseUnless(
    start === null || start <= now + SKEW_SECONDS,
    'The assertion is not valid yet. Compare the clocks.',
  );
  refuseUnless(end === null || end > now - SKEW_SECONDS, 'The assertion has expired. Compare the clocks.');
}

/** A time attribute in UNIX seconds; null if it is missing. */
function timeOf(element: XmlElement, name: string): number | null {
  const text = element.getAttribute(name) ?? '';
  if (text === '') return null;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text) ? Date.parse(text) : NaN;
  refuseUnless(!Number.isNaN(time), `${name} is not a time in UTC.`);
  return time / 1000;
}

/** Unmodified attribute values by name, without those that contain elements. */
function attributesOf(assertion: XmlElement): ReadonlyMap<string, readonly string[]> {
  const attributes = new Map<string, string[]>();
  const all = childrenOf(assertion, SAML, 'AttributeStatement').flatMap((each) =>
    childrenOf(each, SAML, 'Attribute'),
  );
  for (const attribute of all) {
    const name = attribute.getAttribute('Name') ?? '';
    const values = childrenOf(attribute, SAML, 'AttributeValue')
      .filter((each) => elementsIn(each).length === 0)
      .map((each) => each.textContent ?? '');
    attributes.set(name, [...(attributes.get(name) ?? []), ...values]);
  }
  return attributes;
}

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/** Accepted digests by their URI in XML signatures; SHA-1 is not among them. */
const DIGESTS: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
};

/** Accepted signature methods; not HMAC, which uses a shared key, nor SHA-1. */
const SIGNATURES = ['rsa', 'ec'].flatMap((type) =>
  ['sha256', 'sha384', 'sha512'].map((digest) => ({
    type,
    digest,
    uri: `http://www.w3.org/2001/04/xmldsig-more#${type === 'ec' ? 'ecdsa' : 'rsa'}-${digest}`,
  })),
);

type SignatureMethod = (typeof SIGNATURES)[number];

/**
 * Verifies the signature in an element, which must cover exactly that element.
 * @returns the element parsed from the verified bytes, or null if it has no signature
 * @throws ResponseRefused
 */
function signedCopy(text: string, element: XmlElement, keys: readonly KeyObject[]): XmlElement | null {
  const [signature, another] = childrenOf(element, SIGNATURE, 'Signature');
  if (!signature) return null;
  refuseUnless(!another, 'Several signatures in one element.');
  const id = element.getAttribute('ID') ?? '';
  const method = requirePlain(signature, id);
  requireKnownKey(signature, method, keys);
  const [bytes, more] = signedBytes(text, signature, keys);
  refuseUnless(bytes !== undefined && more === undefined, 'Wrong signature.');
  const copy = parsed(bytes);
  const isSame = copy.localName === element.localName && copy.namespaceURI === element.namespaceURI;
  refuseUnless(isSame && copy.getAttribute('ID') === id, 'The signature covers something else.');
  return copy;
}

/**
 * Refuses signatures without the structure that SAML prescribes (SAML 2.0 Core, 5.4).
 * @returns the signature method
 * @throws ResponseRefused
 */
function requirePlain(signature: XmlElement, id: string): SignatureMethod {
  const namesIn = (parent: XmlElement) => elementsIn(parent).map(({ localName }) => localName);
  const shape = 'Signature structure not accepted.';
  refuseUnless(/^SignedInfo,SignatureValue(?:,KeyInfo)?$/.test(namesIn(signature).join()), shape);
  const info = only(signature, SIGNATURE, 'SignedInfo');
  refuseUnless(namesIn(info).join() === 'CanonicalizationMethod,SignatureMethod,Reference', shape);
  const reference = only(info, SIGNATURE, 'Reference');
  refuseUnless(namesIn(reference).join() === 'Transforms,DigestMethod,DigestValue', shape);
  textOf(only(reference, SIGNATURE, 'DigestValue'));
  refuseUnless(
    /^[\w.-]{1,256}$/.test(id) && reference.getAttribute('URI') === `#${id}`,
    'The signature covers something else.',
  );
  const algorithm = (parent: XmlElement, name: string) => algorithmOf(only(parent, SIGNATURE, name));
  const transforms = elementsIn(only(reference, SIGNATURE, 'Transforms')).map(algorithmOf);
  refuseUnless(
    transforms.join() === `${ENVELOPED},${EXCLUSIVE}`,
    `Signature transforms ${transforms.join()} not accepted. Use the enveloped signature and exclusive canonicalization.`,
  );
  const canonical = algorithm(info, 'CanonicalizationMethod');
  refuseUnless(
    canonical === EXCLUSIVE,
    `Canonicalization ${canonical} not accepted. Use exclusive canonicalization.`,
  );
  const name = algorithm(info, 'SignatureMethod');
  const method = SIGNATURES.find(({ uri }) => uri === name);
  if (!method) throw new ResponseRefused(`Signature algorithm ${shortOf(name)} not accepted. ${STRONGER}`);
  const digest = algorithm(reference, 'DigestMethod');
  refuseUnless(
    Object.hasOwn(DIGESTS, digest),
    `Digest algorithm ${shortOf(digest)} not accepted. ${STRONGER}`,
  );
  refuseUnless(isSmall(info), shape);
  return method;
}

const STRONGER = 'Have the provider sign with SHA-256 or stronger.';

/** The name of an algorithm, without the rest of its URI. */
function shortOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('#') + 1);
}

/** Maximum attributes of an element, including namespaces; usually one or two. Canonicalization compares all pairs. */
const MAX_ATTRIBUTES = 6;

function isSmall(element: XmlElement): boolean {
  return element.attributes.length <= MAX_ATTRIBUTES && elementsIn(element).every(isSmall);
}

/** The algorithm of an element. Only transforms may have a child: the list of inclusive namespace prefixes. */
function algorithmOf(element: XmlElement): string {
  const inside = elementsIn(element);
  const [prefixes] = inside;
  const isPlain =
    inside.length === 0 ||
    (inside.length === 1 &&
      element.localName === 'Transform' &&
      prefixes!.localName === 'InclusiveNamespaces' &&
      prefixes!.childNodes.length === 0 &&
      (prefixes!.getAttribute('PrefixList') ?? '').length <= MAX_PREFIXES);
  refuseUnless(isPlain, 'Signature structure not accepted.');
  return element.getAttribute('Algorithm') ?? 'nothing';
}

/** Length limit of the prefix list in characters; providers list one or two prefixes. */
const MAX_PREFIXES = 200;

/**
 * Refuses signatures that match none of the provider's keys. This is cheap, so that strangers cannot make the server
 * compute the expensive digest of the whole text again and again. @throws ResponseRefused
 */
function requireKnownKey(signature: XmlElement, method: SignatureMethod, keys: readonly KeyObject[]): void {
  const info = new (xmlCrypto().ExclusiveCanonicalization)().process(
    only(signature, SIGNATURE, 'SignedInfo'),
    {},
  );
  const value = textOf(only(signature, SIGNATURE, 'SignatureValue'));
  refuseUnless(
    isSignedBy(keys, method, info, value),
    'Not signed with a key of the provider. Update its certificates if they changed.',
  );
}

/** The used part of the library, whose own types need those of browsers. */
interface XmlCrypto {
  readonly ExclusiveCanonicalization: new () => { process(element: XmlElement, options: object): string };
  readonly SignedXml: new (options: object) => {
    CanonicalizationAlgorithms: object;
    HashAlgorithms: object;
    SignatureAlgorithms: object;
    loadSignature(signature: XmlElement): void;
    checkSignature(text: string): boolean;
    getSignedReferences(): string[];
  };
}

/** Loads the libraries that verify signatures, so that the first response is not slower than others. */
export function prepareForResponses(): void {
  parseXml('<a/>');
  xmlCrypto();
}

function xmlCrypto(): XmlCrypto {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only if a provider uses SAML
  return require('xml-crypto') as XmlCrypto;
}

/** Canonical text of everything that the signature covers; empty if it is invalid. */
function signedBytes(text: string, signature: XmlElement, keys: readonly KeyObject[]): string[] {
  const { SignedXml } = xmlCrypto();
  // Ignores keys in the response: only those that the operator configured are trusted.
  const signed = new SignedXml({ publicCert: keys[0], getCertFromKeyInfo: () => null });
  signed.CanonicalizationAlgorithms = chosen(signed.CanonicalizationAlgorithms, [EXCLUSIVE, ENVELOPED]);
  signed.HashAlgorithms = named(Object.entries(DIGESTS).map(([uri, name]) => [uri, digestOf(name)]));
  signed.SignatureAlgorithms = named(SIGNATURES.map((each) => [each.uri, signatureOf(each, keys)]));
  try {
    signed.loadSignature(signature);
    return signed.checkSignature(text) ? signed.getSignedReferences() : [];
  } catch (error) {
    throw new ResponseRefused(`Wrong signature: ${(error as Error).message.slice(0, 100)}.`);
  }
}

/** An object without inherited names, such as `constructor`, which a response could refer to. */
function named(entries: readonly (readonly [string, unknown])[]): object {
  return Object.assign(Object.create(null) as object, Object.fromEntries(entries));
}

function chosen(all: object, names: readonly string[]): object {
  return named(Object.entries(all).filter(([name]) => names.includes(name)));
}

function digestOf(name: string) {
  return class {
    getAlgorithmName = () => name;
    getHash = (text: string) => createHash(name).update(text, 'utf8').digest('base64');
  };
}

function signatureOf(method: SignatureMethod, keys: readonly KeyObject[]) {
  return class {
    getAlgorithmName = () => method.uri;
    verifySignature = (text: string, _key: unknown, signature: string) =>
      isSignedBy(keys, method, text, signature);
  };
}

/** Tries all keys of the provider; during key rotation there are two. */
function isSignedBy(
  keys: readonly KeyObject[],
  { type, digest }: SignatureMethod,
  text: string,
  signature: string,
) {
  const [bytes, signed] = [Buffer.from(text), Buffer.from(signature, 'base64')];
  return keys.some(
    (key) =>
      key.asymmetricKeyType === type && verify(digest, bytes, { key, dsaEncoding: 'ieee-p1363' }, signed),
  );
}

import { type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { IsBoolean, IsIn, IsOptional, IsString, Length } from 'class-validator';
import { childrenOf, MalformedXml, parseXml, type XmlElement } from '../xml';
import { isProviderAddress, ProviderBlock } from './account-source';
import { codeOf, type StartRefused } from './start-refused';

/** A SAML 2.0 provider in the operator's file. */
export class SamlBlock extends ProviderBlock {
  @IsIn(['saml'], { message: '"protocol" must be "oidc" or "saml"' })
  readonly protocol!: 'saml';

  /** Path of the provider's metadata, relative to this file. Replaces the next three fields. */
  @IsOptional()
  @IsString({ message: '"metadata_file" must be the path of a file' })
  readonly metadata_file?: string;

  /** The provider's entity ID. */
  @IsOptional()
  @Length(1, 1024, { message: '"entity_id" must be the entity ID of the provider' })
  readonly entity_id?: string;

  /** URL where browsers sign in, with the redirect binding. */
  @IsOptional()
  @IsString({ message: '"sign_in_url" must be an address such as "https://sso.example.com/saml"' })
  readonly sign_in_url?: string;

  /** Path of a PEM file with the provider's signing certificates. */
  @IsOptional()
  @IsString({ message: '"certificate_file" must be the path of a file' })
  readonly certificate_file?: string;

  /** Attribute that never changes and is never reassigned; without it, a persistent name ID is required. */
  @IsOptional()
  @Length(1, 200, { message: '"id_attribute" must be the name of an attribute' })
  readonly id_attribute?: string;

  @IsOptional()
  @Length(1, 200, { message: '"email_attribute" must be the name of an attribute' })
  readonly email_attribute: string = 'email';

  @IsOptional()
  @Length(1, 200, { message: '"name_attribute" must be the name of an attribute' })
  readonly name_attribute: string = 'name';

  /** Whether an unsolicited response starts a sign-in; its contents are never trusted. */
  @IsOptional()
  @IsBoolean({ message: '"allows_unsolicited" must be true or false' })
  readonly allows_unsolicited: boolean = false;
}

/** The description of a provider, from its metadata or from the fields that replace it. */
interface SamlDescription {
  readonly entityId: string;
  readonly signInUrl: string;
  readonly certificates: readonly X509Certificate[];
}

/** A provider with the contents of its files. */
export type SamlProvider = SamlBlock &
  SamlDescription & {
    /**
     * Identifies the source of IDs when accounts are linked. Not the entity ID itself: Keycloak uses the same for its
     * OpenID Connect, with different subjects, and another attribute contains different IDs.
     */
    readonly issuer: string;
    readonly keys: readonly KeyObject[];
  };

type Refuse = (problem: string) => StartRefused;

/** @throws {StartRefused} */
export function readSaml(path: string, block: SamlBlock, refuse: Refuse): SamlProvider {
  const described = descriptionOf(path, block, refuse);
  const { entityId, signInUrl, certificates } = described;
  if (!isProviderAddress(signInUrl))
    throw refuse(`the sign-in address ${signInUrl} must be an https:// address`);
  const keys = certificates.map(({ publicKey }) => publicKey);
  if (keys.length === 0 || keys.length > MAX_KEYS)
    throw refuse(`it must have 1 to ${MAX_KEYS} certificates for signing`);
  if (keys.some((key) => !isStrong(key)))
    throw refuse('its certificates must have RSA keys of at least 2048 bits, or EC keys');
  if (!block.trusts_email && (block.creates_accounts || block.links_by_email)) {
    throw refuse(
      '"creates_accounts" and "links_by_email" need "trusts_email": SAML does not say whether addresses are verified',
    );
  }
  const attribute = block.id_attribute === undefined ? '' : `#${block.id_attribute}`;
  return Object.assign(block, described, { issuer: `saml:${entityId}${attribute}`, keys });
}

/** Providers publish two during key rotation. */
const MAX_KEYS = 10;

const MIN_RSA_BITS = 2048;

function isStrong({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean {
  return type === 'ec' || (type === 'rsa' && (details?.modulusLength ?? 0) >= MIN_RSA_BITS);
}

function descriptionOf(path: string, block: SamlBlock, refuse: Refuse): SamlDescription {
  const { metadata_file: file, entity_id: entityId, sign_in_url: signInUrl } = block;
  const own = [entityId, signInUrl, block.certificate_file];
  if (file !== undefined) {
    if (own.some((field) => field !== undefined))
      throw refuse('"metadata_file" takes the place of "entity_id", "sign_in_url" and "certificate_file"');
    const text = readText(path, 'metadata_file', file, refuse);
    const problem = (what: string) => refuse(`"metadata_file" names ${file}, ${what}`);
    return inMetadata(text, problem);
  }
  if (entityId === undefined || signInUrl === undefined || block.certificate_file === undefined)
    throw refuse('it needs "metadata_file", or "entity_id", "sign_in_url" and "certificate_file"');
  const text = readText(path, 'certificate_file', block.certificate_file, refuse);
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const problem = () => refuse('"certificate_file" must name a file with certificates as PEM');
  if (found.length === 0) throw problem();
  return { entityId, signInUrl, certificates: found.map((pem) => certificateOf(pem, problem)) };
}

function certificateOf(content: string | Buffer, problem: () => StartRefused): X509Certificate {
  try {
    return new X509Certificate(content);
  } catch {
    throw problem();
  }
}

/** The metadata of ADFS is about 70 KiB. */
const MAX_METADATA = 1024 * 1024;

function readText(path: string, field: string, file: string, refuse: Refuse): string {
  const found = resolve(dirname(path), file);
  let bytes: Buffer;
  try {
    bytes = readFileSync(found);
  } catch (error) {
    throw refuse(`"${field}" names ${found}, which cannot be read (${codeOf(error)})`);
  }
  if (bytes.length > MAX_METADATA) throw refuse(`"${field}" names ${found}, which is too long`);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** The operator is responsible for the file, so a signature in it adds nothing. */
function inMetadata(text: string, problem: (what: string) => StartRefused): SamlDescription {
  const entity = entityIn(text, problem);
  const [role] = childrenOf(entity, METADATA, 'IDPSSODescriptor');
  if (!role) throw problem('which describes no identity provider');
  const endpoint = childrenOf(role, METADATA, 'SingleSignOnService').find(
    (each) => each.getAttribute('Binding') === REDIRECT,
  );
  if (!endpoint) throw problem('which has no endpoint of the binding HTTP-Redirect');
  const certificates = childrenOf(role, METADATA, 'KeyDescriptor')
    .filter((each) => each.getAttribute('use') !== 'encryption')
    .flatMap((each) => childrenOf(each, SIGNATURE, 'KeyInfo'))
    .flatMap((each) => childrenOf(each, SIGNATURE, 'X509Data'))
    .flatMap((each) => childrenOf(each, SIGNATURE, 'X509Certificate'))
    .map((each) =>
      certificateOf(Buffer.from(each.textContent ?? '', 'base64'), () =>
        problem('which has a malformed certificate'),
      ),
    );
  return {
    entityId: entity.getAttribute('entityID') ?? '',
    signInUrl: endpoint.getAttribute('Location') ?? '',
    certificates,
  };
}

function entityIn(text: string, problem: (what: string) => StartRefused): XmlElement {
  const root = parsed(text, problem);
  const entities = [
    ...(root.localName === 'EntityDescriptor' && root.namespaceURI === METADATA ? [root] : []),
    ...childrenOf(root, METADATA, 'EntityDescriptor'),
  ];
  const [entity, another] = entities;
  if (!entity || another || (entity.getAttribute('entityID') ?? '') === '')
    throw problem('which must describe one provider');
  return entity;
}

function parsed(text: string, problem: (what: string) => StartRefused): XmlElement {
  try {
    return parseXml(text);
  } catch (error) {
    if (error instanceof MalformedXml)
      throw problem(`which is not the XML that metadata is (${error.message})`);
    throw error;
  }
}

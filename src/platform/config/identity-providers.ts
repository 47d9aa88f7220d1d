import { Injectable } from '@nestjs/common';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
  IsString,
  Length,
  Matches,
  ValidateBy,
} from 'class-validator';
import { groupsAreNames, isProviderAddress, PROVIDED_ROLES, ProviderBlock } from './account-source';
import { Config } from './config';
import { readSaml, SamlBlock, type SamlProvider } from './saml-provider';
import { networks } from './setting-kinds';
import { checkedBlock, readJson, readSecretBeside } from './setting-files';
import { StartRefused } from './start-refused';

export type { ProvidedRole } from './account-source';
export type { SamlProvider } from './saml-provider';

/** Path where sign-in with a provider starts. */
export function providerSignInPath({ protocol, name }: Pick<IdentityProvider, 'protocol' | 'name'>): string {
  return `/accounts/login/social/${protocol}/${name}`;
}

/** An OpenID Connect provider in the operator's file. */
class OpenIdBlock extends ProviderBlock {
  @IsOptional()
  @IsIn(['oidc'], { message: '"protocol" must be "oidc" or "saml"' })
  readonly protocol = 'oidc' as const;

  /** Issuer URL of the provider; its metadata is at `/.well-known/openid-configuration`. */
  @IsString({ message: '"issuer" must be an address such as "https://sso.example.com"' })
  readonly issuer!: string;

  @Length(1, 500, { message: '"client_id" must be the ID that the provider gave this server' })
  readonly client_id!: string;

  /** Path of a file with the client's secret, relative to this file. */
  @IsString({ message: '"client_secret_file" must be the path of a file' })
  readonly client_secret_file!: string;

  /** Scopes requested in addition to `openid`, `email` and `profile`. */
  @IsOptional()
  @IsArray({ message: '"scopes" must be a list of texts' })
  @ArrayMaxSize(20, { message: '"scopes" must have at most 20 entries' })
  @Matches(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { each: true, message: '"scopes" must be a list of scope names' })
  readonly scopes: readonly string[] = [];

  /** Private networks that may contain endpoints on hosts other than the issuer's. */
  @IsOptional()
  @IsArray({ message: '"private_networks" must be a list of networks such as "10.1.0.0/16"' })
  @ArrayMaxSize(100, { message: '"private_networks" must have at most 100 entries' })
  @ValidateBy(
    {
      name: 'isNetwork',
      validator: { validate: (value) => typeof value === 'string' && networks().parse(value)?.length === 1 },
    },
    { each: true, message: '"private_networks" must be a list of networks such as "10.1.0.0/16"' },
  )
  readonly private_networks: readonly string[] = [];

  /** Whether signing out in a browser also ends the session at the provider. */
  @IsOptional()
  @IsBoolean({ message: '"signs_out" must be true or false' })
  readonly signs_out: boolean = false;
}

/** An OpenID Connect provider with the client's secret, read from the file in its block. */
export type OpenIdProvider = OpenIdBlock & { readonly secret: string };

/** A provider of either protocol. */
export type IdentityProvider = OpenIdProvider | SamlProvider;

/** The protocol of a provider, as in the file and in URLs. */
export type Protocol = IdentityProvider['protocol'];

/** The providers of a protocol. */
export type ProviderOf<P extends Protocol> = Extract<IdentityProvider, { readonly protocol: P }>;

/** The identity providers of the operator's file, `IDENTITY_PROVIDERS`; none without one. */
@Injectable()
export class IdentityProviders {
  /** In the order of the buttons. */
  readonly all: readonly IdentityProvider[];

  /** @throws {StartRefused} naming the provider and the invalid field */
  constructor(config: Config) {
    this.all = config.identityProviders === null ? [] : readProviders(config.identityProviders);
  }

  /** The providers of a protocol. */
  of<P extends Protocol>(protocol: P): ProviderOf<P>[] {
    return this.all.filter((provider): provider is ProviderOf<P> => provider.protocol === protocol);
  }
}

/** Issuers that cover all tenants of Entra ID: anyone can create a tenant, and give its people any address. */
const EVERY_TENANT =
  /^https:\/\/login\.microsoftonline\.[a-z]+\/+(?:common|organizations|consumers)(?:\/|$)/i;

/** A sign-in page with more would be unusable. */
const MAX_PROVIDERS = 20;

function readProviders(path: string): IdentityProvider[] {
  const given = readJson(path, (problem) => refused(path, problem));
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_PROVIDERS) {
    throw refused(path, `it must be a list of 1 to ${MAX_PROVIDERS} providers`);
  }
  const providers = given.map((each, index) => readProvider(path, each, index + 1));
  const names = providers.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw refused(path, `two providers have the name "${twice}"`);
  // Clients expect the buttons in this order.
  return providers.sort((one, other) => Number(other.protocol === 'saml') - Number(one.protocol === 'saml'));
}

function readProvider(path: string, given: unknown, position: number): IdentityProvider {
  const refuse = (problem: string) => refused(path, `provider ${position}: ${problem}`);
  const isSaml = (given as { readonly protocol?: unknown } | null)?.protocol === 'saml';
  const block = checkedBlock<OpenIdBlock | SamlBlock>(
    isSaml ? SamlBlock : OpenIdBlock,
    given,
    'a provider',
    refuse,
  );
  const wrong = Object.values(block.roles).find((role) => !PROVIDED_ROLES.includes(role));
  if (wrong !== undefined) throw refuse(`"roles" must map to one of ${PROVIDED_ROLES.join(', ')}`);
  if (!groupsAreNames(block.groups)) throw refuse('"groups" must map to names of user groups');
  if (block.trusts_email && block.domains.length === 0) {
    throw refuse('"trusts_email" needs "domains": otherwise the provider could take over any account');
  }
  return block.protocol === 'saml' ? readSaml(path, block, refuse) : readOpenId(path, block, refuse);
}

function readOpenId(
  path: string,
  block: OpenIdBlock,
  refuse: (problem: string) => StartRefused,
): OpenIdProvider {
  const { issuer } = block;
  if (!isProviderAddress(issuer) || new URL(issuer).search !== '')
    throw refuse('"issuer" must be an https:// address without query');
  if (EVERY_TENANT.test(issuer)) throw refuse('"issuer" must name one tenant of Microsoft Entra ID');
  const secret = readSecretBeside(path, 'client_secret_file', block.client_secret_file, refuse);
  return Object.assign(block, { secret });
}

function refused(path: string, problem: string): StartRefused {
  return new StartRefused(`IDENTITY_PROVIDERS names ${path}, but ${problem}.`);
}

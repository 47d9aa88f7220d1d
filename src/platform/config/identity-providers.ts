import { Injectable } from '@nestjs/common';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
} from 'class-validator';
import { AccountSourceBlock, groupsAreNames } from './account-source';
import { Config } from './config';
import { checkedBlock, readJson, readSecretBeside } from './setting-files';
import { isLoopback } from './network-settings';
import { StartRefused } from './start-refused';

/** Roles that a provider may give, by the words that the file has for them; owners are made in Parley alone. */
const ROLES = ['administrator', 'moderator', 'member', 'guest'] as const;

/** Where signing in with a provider begins; its name follows. */
export const PROVIDER_SIGN_IN_PATH = '/accounts/login/social/oidc';

/** A role as the file names it. */
export type ProvidedRole = (typeof ROLES)[number];

/** One OpenID Connect provider, as the operator's file describes it. */
class ProviderBlock extends AccountSourceBlock {
  /** Stands in addresses: small letters, digits and hyphens. */
  @Matches(/^[a-z0-9][a-z0-9-]{0,30}$/, {
    message: '"name" must be 1 to 31 lowercase letters, digits or hyphens, such as "okta"',
  })
  readonly name!: string;

  /** On the button: "Continue with …". */
  @Length(1, 60, { message: '"label" must be a text of 1 to 60 characters' })
  readonly label!: string;

  /** Issuer URL of the provider; its metadata is at `/.well-known/openid-configuration`. */
  @IsString({ message: '"issuer" must be an address such as "https://sso.example.com"' })
  readonly issuer!: string;

  @Length(1, 500, { message: '"client_id" must be the ID that the provider gave this server' })
  readonly client_id!: string;

  /** Path of a file with the client's secret, relative to this file. */
  @IsString({ message: '"client_secret_file" must be the path of a file' })
  readonly client_secret_file!: string;

  /** Requested beside `openid`, `email` and `profile`. */
  @IsOptional()
  @IsArray({ message: '"scopes" must be a list of texts' })
  @ArrayMaxSize(20, { message: '"scopes" must have at most 20 entries' })
  @Matches(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { each: true, message: '"scopes" must be a list of scope names' })
  readonly scopes: readonly string[] = [];

  /** Whether addresses count as verified that the provider says nothing about. Only within `domains`. */
  @IsOptional()
  @IsBoolean({ message: '"trusts_email" must be true or false' })
  readonly trusts_email: boolean = false;

  /** Whether everybody whom the provider signs in has shown it a second factor. */
  @IsOptional()
  @IsBoolean({ message: '"vouches_for_second_factor" must be true or false' })
  readonly vouches_for_second_factor: boolean = false;

  /** Whether signing out in a browser leads on to the provider, to end the session there too. */
  @IsOptional()
  @IsBoolean({ message: '"signs_out" must be true or false' })
  readonly signs_out: boolean = false;

  /** Claim with the values that `roles` maps. */
  @IsOptional()
  @Length(1, 200, { message: '"role_claim" must be the name of a claim' })
  readonly role_claim?: string;

  /** Role of a new account, by value of the claim; the most powerful one that matches. */
  @IsOptional()
  @IsObject({ message: '"roles" must be an object from values of the claim to roles' })
  readonly roles: Readonly<Record<string, ProvidedRole>> = {};

  /** Claim with the values that `groups` maps. */
  @IsOptional()
  @Length(1, 200, { message: '"groups_claim" must be the name of a claim' })
  readonly groups_claim?: string;

  /** User groups by value of the claim, kept up to date at each sign-in. */
  @IsOptional()
  @IsObject({ message: '"groups" must be an object from values of the claim to user groups' })
  readonly groups: Readonly<Record<string, string>> = {};
}

/** A provider with the client's secret, which was read from the file that its block names. */
export type IdentityProvider = ProviderBlock & { readonly secret: string };

/** The identity providers of the operator's file, `IDENTITY_PROVIDERS`; none without one. */
@Injectable()
export class IdentityProviders {
  readonly all: readonly IdentityProvider[];

  /** @throws {StartRefused} naming the provider and the field that is wrong */
  constructor(config: Config) {
    this.all = config.identityProviders === null ? [] : readProviders(config.identityProviders);
  }

  byName(name: string): IdentityProvider | undefined {
    return this.all.find((provider) => provider.name === name);
  }
}

/** Addresses that speak for all tenants of Entra ID: anybody can open one, and give its people any address. */
const EVERY_TENANT =
  /^https:\/\/login\.microsoftonline\.[a-z]+\/+(?:common|organizations|consumers)(?:\/|$)/i;

/** More make no sense on one sign-in page. */
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
  return providers;
}

function readProvider(path: string, given: unknown, position: number): IdentityProvider {
  const refuse = (problem: string) => refused(path, `provider ${position}: ${problem}`);
  const provider = checkedBlock(ProviderBlock, given, 'a provider', refuse);
  if (!isIssuer(provider.issuer)) throw refuse('"issuer" must be an https:// address without query');
  if (EVERY_TENANT.test(provider.issuer)) throw refuse('"issuer" must name one tenant of Microsoft Entra ID');
  const wrong = Object.values(provider.roles).find((role) => !ROLES.includes(role));
  if (wrong !== undefined) throw refuse(`"roles" must map to one of ${ROLES.join(', ')}`);
  if (!groupsAreNames(provider.groups)) throw refuse('"groups" must map to names of user groups');
  if (provider.trusts_email && provider.domains.length === 0) {
    throw refuse('"trusts_email" needs "domains": otherwise the provider could take over any account');
  }
  const secret = readSecretBeside(path, 'client_secret_file', provider.client_secret_file, refuse);
  return Object.assign(provider, { secret });
}

/** Tokens cross no network in plain text; a provider on this machine is for trying things out. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  if (search !== '' || hash !== '' || username !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')));
}

function refused(path: string, problem: string): StartRefused {
  return new StartRefused(`IDENTITY_PROVIDERS names ${path}, but ${problem}.`);
}

import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsFQDN,
  IsObject,
  IsOptional,
  Length,
  Matches,
} from 'class-validator';
import { isLoopback } from './network-settings';

/** Maximum number of mapped user groups per source. */
export const MAX_GROUPS = 1000;

/** Common fields of providers and directories. */
export class AccountSourceBlock {
  /** Whether to create an account for people without one. */
  @IsOptional()
  @IsBoolean({ message: '"creates_accounts" must be true or false' })
  readonly creates_accounts: boolean = false;

  /** Whether the first sign-in links an existing account with the same verified address. */
  @IsOptional()
  @IsBoolean({ message: '"links_by_email" must be true or false' })
  readonly links_by_email: boolean = false;

  /** Domains of accepted addresses; an empty list accepts any. */
  @IsOptional()
  @IsArray({ message: '"domains" must be a list of domain names' })
  @ArrayMaxSize(200, { message: '"domains" must have at most 200 entries' })
  @IsFQDN({ require_tld: false }, { each: true, message: '"domains" must be a list of domain names' })
  readonly domains: readonly string[] = [];
}

/** Roles that a provider may assign, by their names in the file; owners are appointed only in Parley. */
export const PROVIDED_ROLES = ['administrator', 'moderator', 'member', 'guest'] as const;

/** A role by its name in the file. */
export type ProvidedRole = (typeof PROVIDED_ROLES)[number];

/** Common fields of all identity providers. */
export class ProviderBlock extends AccountSourceBlock {
  /** Part of URLs: lower-case letters, digits and hyphens. */
  @Matches(/^[a-z0-9][a-z0-9-]{0,30}$/, {
    message: '"name" must be 1 to 31 lowercase letters, digits or hyphens, such as "okta"',
  })
  readonly name!: string;

  /** On the button: "Continue with …". */
  @Length(1, 60, { message: '"label" must be a text of 1 to 60 characters' })
  readonly label!: string;

  /** Whether to treat addresses as verified if the provider does not say. Only within `domains`. */
  @IsOptional()
  @IsBoolean({ message: '"trusts_email" must be true or false' })
  readonly trusts_email: boolean = false;

  /** Whether the provider requires a second factor from everyone it signs in. */
  @IsOptional()
  @IsBoolean({ message: '"vouches_for_second_factor" must be true or false' })
  readonly vouches_for_second_factor: boolean = false;

  /** Claim or attribute with the values that `roles` maps. */
  @IsOptional()
  @Length(1, 200, { message: '"role_claim" must be the name of a claim' })
  readonly role_claim?: string;

  /** Role of a new account, by value of the claim; if several match, the most powerful one. */
  @IsOptional()
  @IsObject({ message: '"roles" must be an object from values of the claim to roles' })
  readonly roles: Readonly<Record<string, ProvidedRole>> = {};

  /** Claim or attribute with the values that `groups` maps. */
  @IsOptional()
  @Length(1, 200, { message: '"groups_claim" must be the name of a claim' })
  readonly groups_claim?: string;

  /** User groups by value of the claim, kept up to date at each sign-in. */
  @IsOptional()
  @IsObject({ message: '"groups" must be an object from values of the claim to user groups' })
  readonly groups: Readonly<Record<string, string>> = {};
}

/** Whether the mapped values are names of user groups; for roles alone, they need not be. */
export function groupsAreNames(groups: Readonly<Record<string, unknown>>): boolean {
  const names = Object.values(groups);
  return (
    names.length <= MAX_GROUPS &&
    names.every((name) => typeof name === 'string' && name !== '' && !name.startsWith('role:'))
  );
}

/** Passwords and tokens must not cross a network in plain text; a provider on this machine is for testing. */
export function isProviderAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, hash, username } = new URL(text);
  if (hash !== '' || username !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')));
}

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

/** Most mapped user groups of one source. */
export const MAX_GROUPS = 1000;

/** What the blocks of providers and directories have in common: for whom they speak, and what follows. */
export class AccountSourceBlock {
  /** Whether people without an account get one. */
  @IsOptional()
  @IsBoolean({ message: '"creates_accounts" must be true or false' })
  readonly creates_accounts: boolean = false;

  /** Whether the first sign-in links an existing account that has the verified address. */
  @IsOptional()
  @IsBoolean({ message: '"links_by_email" must be true or false' })
  readonly links_by_email: boolean = false;

  /** Domains of accepted addresses; any where the list is empty. */
  @IsOptional()
  @IsArray({ message: '"domains" must be a list of domain names' })
  @ArrayMaxSize(200, { message: '"domains" must have at most 200 entries' })
  @IsFQDN({ require_tld: false }, { each: true, message: '"domains" must be a list of domain names' })
  readonly domains: readonly string[] = [];
}

/** Roles that a provider may give, by the words that the file has for them; owners are made in Parley alone. */
export const PROVIDED_ROLES = ['administrator', 'moderator', 'member', 'guest'] as const;

/** A role as the file names it. */
export type ProvidedRole = (typeof PROVIDED_ROLES)[number];

/** What the blocks of all identity providers have in common. */
export class ProviderBlock extends AccountSourceBlock {
  /** Stands in addresses: small letters, digits and hyphens. */
  @Matches(/^[a-z0-9][a-z0-9-]{0,30}$/, {
    message: '"name" must be 1 to 31 lowercase letters, digits or hyphens, such as "okta"',
  })
  readonly name!: string;

  /** On the button: "Continue with …". */
  @Length(1, 60, { message: '"label" must be a text of 1 to 60 characters' })
  readonly label!: string;

  /** Whether addresses count as verified that the provider says nothing about. Only within `domains`. */
  @IsOptional()
  @IsBoolean({ message: '"trusts_email" must be true or false' })
  readonly trusts_email: boolean = false;

  /** Whether everybody whom the provider signs in has shown it a second factor. */
  @IsOptional()
  @IsBoolean({ message: '"vouches_for_second_factor" must be true or false' })
  readonly vouches_for_second_factor: boolean = false;

  /** Claim or attribute with the values that `roles` maps. */
  @IsOptional()
  @Length(1, 200, { message: '"role_claim" must be the name of a claim' })
  readonly role_claim?: string;

  /** Role of a new account, by value of the claim; the most powerful one that matches. */
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

/** Whether values are mapped to names of user groups; those of roles follow from roles alone. */
export function groupsAreNames(groups: Readonly<Record<string, unknown>>): boolean {
  const names = Object.values(groups);
  return (
    names.length <= MAX_GROUPS &&
    names.every((name) => typeof name === 'string' && name !== '' && !name.startsWith('role:'))
  );
}

/** Passwords and tokens cross no network in plain text; a provider on this machine is for trying things out. */
export function isProviderAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, hash, username } = new URL(text);
  if (hash !== '' || username !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')));
}

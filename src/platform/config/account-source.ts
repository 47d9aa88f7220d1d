import { ArrayMaxSize, IsArray, IsBoolean, IsFQDN, IsOptional } from 'class-validator';

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

/** Whether values are mapped to names of user groups; those of roles follow from roles alone. */
export function groupsAreNames(groups: Readonly<Record<string, unknown>>): boolean {
  const names = Object.values(groups);
  return (
    names.length <= MAX_GROUPS &&
    names.every((name) => typeof name === 'string' && name !== '' && !name.startsWith('role:'))
  );
}

import { Injectable } from '@nestjs/common';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
} from 'class-validator';
import { AccountSourceBlock, groupsAreNames, MAX_GROUPS } from './account-source';
import { Config } from './config';
import { checkedBlock, readJson, readSecretBeside } from './setting-files';
import { isLoopback } from './network-settings';
import { StartRefused } from './start-refused';

const ATTRIBUTE = /^[A-Za-z][A-Za-z0-9;-]{0,60}$/;

/** The directory in the operator's file. */
class DirectoryBlock extends AccountSourceBlock {
  /** Accounts are linked to the directory by this name. */
  @Matches(/^[a-z0-9][a-z0-9-]{0,30}$/, {
    message: '"name" must be 1 to 31 lowercase letters, digits or hyphens, such as "staff"',
  })
  readonly name!: string;

  @IsString({ message: '"url" must be an address such as "ldaps://ldap.example.com"' })
  readonly url!: string;

  /** Whether to encrypt a connection to an `ldap:` address before sending anything. */
  @IsOptional()
  @IsBoolean({ message: '"starttls" must be true or false' })
  readonly starttls: boolean = false;

  /** Path of a file with CA certificates that the system does not trust, relative to this file. */
  @IsOptional()
  @IsString({ message: '"ca_file" must be the path of a file' })
  readonly ca_file?: string;

  @Length(1, 500, { message: '"bind_dn" must be the name of the account that searches' })
  readonly bind_dn!: string;

  @IsString({ message: '"bind_password_file" must be the path of a file' })
  readonly bind_password_file!: string;

  @Length(1, 500, { message: '"base_dn" must be the name below which people are' })
  readonly base_dn!: string;

  /** Filter for entries that are people. */
  @IsOptional()
  @Matches(/^\(.{1,2000}\)$/, { message: '"filter" must be a filter in parentheses' })
  readonly filter: string = '(objectClass=person)';

  /** Attributes that people may sign in with. */
  @IsOptional()
  @IsArray({ message: '"username_attributes" must be a list of attributes' })
  @ArrayMinSize(1, { message: '"username_attributes" must not be empty' })
  @ArrayMaxSize(5, { message: '"username_attributes" must have at most 5 entries' })
  @Matches(ATTRIBUTE, { each: true, message: '"username_attributes" must be a list of attributes' })
  readonly username_attributes: readonly string[] = ['mail', 'uid'];

  /** Attribute that never changes for a person. */
  @IsOptional()
  @Matches(ATTRIBUTE, { message: '"id_attribute" must be an attribute' })
  readonly id_attribute: string = 'entryUUID';

  @IsOptional()
  @Matches(ATTRIBUTE, { message: '"email_attribute" must be an attribute' })
  readonly email_attribute: string = 'mail';

  @IsOptional()
  @Matches(ATTRIBUTE, { message: '"name_attribute" must be an attribute' })
  readonly name_attribute: string = 'cn';

  /** Attribute that is true for people who may no longer sign in, or `userAccountControl`. */
  @IsOptional()
  @Matches(ATTRIBUTE, { message: '"disabled_attribute" must be an attribute' })
  readonly disabled_attribute?: string;

  /** User groups, by the names of groups in the directory. */
  @IsOptional()
  @IsObject({ message: '"groups" must be an object from groups of the directory to user groups' })
  readonly groups: Readonly<Record<string, string>> = {};

  /** Whether to deactivate people who are no longer in the directory, like disabled ones. */
  @IsOptional()
  @IsBoolean({ message: '"deactivates_missing" must be true or false' })
  readonly deactivates_missing: boolean = false;
}

/** A directory with the contents of the files in its block. */
export type LdapDirectory = DirectoryBlock & { readonly password: string; readonly ca: string | null };

/** The LDAP directory of the operator's file, `LDAP_DIRECTORY`. */
@Injectable()
export class LdapSettings {
  /** Null if none is configured. */
  readonly directory: LdapDirectory | null;

  /** @throws {StartRefused} naming the invalid field */
  constructor({ ldapDirectory }: Config) {
    this.directory = ldapDirectory === null ? null : readDirectory(ldapDirectory);
  }
}

function readDirectory(path: string): LdapDirectory {
  const refuse = (problem: string) => new StartRefused(`LDAP_DIRECTORY names ${path}, but ${problem}.`);
  const block = checkedBlock(DirectoryBlock, readJson(path, refuse), 'a directory', refuse);
  const problem = problemOfAddress(block) ?? problemOfGroups(block);
  if (problem !== null) throw refuse(problem);
  const password = readSecretBeside(path, 'bind_password_file', block.bind_password_file, refuse);
  const ca = block.ca_file === undefined ? null : readSecretBeside(path, 'ca_file', block.ca_file, refuse);
  return Object.assign(block, { password, ca });
}

/** Passwords must not cross a network in plain text. */
function problemOfAddress({ url, starttls }: DirectoryBlock): string | null {
  const { protocol, hostname, pathname, search } = URL.canParse(url) ? new URL(url) : new URL('x:');
  if (protocol !== 'ldap:' && protocol !== 'ldaps:') return '"url" must be an ldaps:// or ldap:// address';
  if (hostname === '' || (pathname !== '' && pathname !== '/') || search !== '') {
    return '"url" must have a host, a port if needed, and nothing else';
  }
  if (protocol === 'ldaps:' && starttls) return '"starttls" is for ldap:// addresses';
  const isOpen = protocol === 'ldap:' && !starttls && !isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
  return isOpen ? '"url" must be an ldaps:// address, or "starttls" true' : null;
}

function problemOfGroups({ groups }: DirectoryBlock): string | null {
  return groupsAreNames(groups) ? null : `"groups" must map to at most ${MAX_GROUPS} names of user groups`;
}

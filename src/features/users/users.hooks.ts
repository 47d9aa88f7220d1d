import type { FastifyRequest } from 'fastify';
import type { RequestOrigin } from '../../platform/http/decorators';
import type { Caller } from '../../platform/actor';
import type { Queryable } from '../../platform/sql/queryable';
import type { Transaction } from '../../platform/database/transaction.service';
import type { Audience } from '../../platform/events/audience';
import { defineHook, definePort } from '../../platform/hooks/hook';
import type { Account } from './accounts/account.entity';
import type { Viewer } from './accounts/accounts.api';
import type { PersonalSettings } from './accounts/personal-settings.api';

/**
 * An account leaves or comes back, within the exclusive transaction: before it becomes invisible, or once it is visible
 * again. For features that show something of active people only; the row says whether it will be active.
 */
export const accountActivityChanged = defineHook<[tx: Transaction, row: Account]>('accountActivityChanged');

/**
 * An account is deleted permanently, within the exclusive transaction. It is already deactivated, with its events.
 * Features delete what they store for it; files only after the commit.
 */
export const personalDataRemoved = defineHook<[tx: Transaction, userId: number]>('personalDataRemoved');

/**
 * All sessions of a person end, except that in which they ask for it; null for those of everybody. Features delete what
 * would begin another one.
 */
export const allSessionsEnded = defineHook<[tx: Transaction, userId: number | null]>('allSessionsEnded');

/** How much of each kind was erased, as in `drafts`. */
export type Erased = Readonly<Record<string, number>>;

/**
 * What a deactivated person wrote and uploaded is erased on request, in steps: each feature deletes up to so many of each
 * kind, and tells how many. Asked again until nothing is left. The person's own clients need no events.
 */
export const contentErased = defineHook<[tx: Transaction, userId: number, limit: number], Erased>(
  'contentErased',
);

/**
 * Personal settings change, within the transaction and after the events of the settings; only settings whose values
 * differ.
 */
export const personalSettingsChanged =
  defineHook<[tx: Transaction, row: Account, changed: Partial<PersonalSettings>]>('personalSettingsChanged');

/**
 * A person gets another real address, within the transaction, which is not saved yet.
 * @param formerEmail the one before
 */
export const emailChanged = defineHook<[tx: Transaction, row: Account, formerEmail: string]>('emailChanged');

/** What a person signs in with, or what acts for them. */
export type CredentialChange =
  | 'password'
  | 'factor_added'
  | 'factor_removed'
  | 'app_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_copied'
  | 'recovery_code_used'
  | 'key_made'
  | 'identity_linked';

/**
 * Something with which one can act as an account was changed, by whomever, within the transaction.
 * @param name of the key, passkey or provider
 */
export const credentialsChanged =
  defineHook<[tx: Transaction, userId: number, change: CredentialChange, name?: string]>(
    'credentialsChanged',
  );

/** A person signs in and gets a session or their API key, within the transaction. */
export const signedIn = defineHook<[tx: Transaction, userId: number, origin: RequestOrigin]>('signedIn');

/**
 * Everybody who shares a conversation with a person; each feature answers for its kind of conversation. Sharing is
 * mutual.
 */
export const conversationPartnersSought = defineHook<[db: Queryable, userId: number], Iterable<number>>(
  'conversationPartnersSought',
);

/** Guests begin to see people, within the transaction of the change: the guests by the ID of the person they see. */
export const peopleShown =
  defineHook<[tx: Transaction, watchers: ReadonlyMap<number, Audience>]>('peopleShown');

/** Knows which guests see everybody. */
export interface AccessToAllUsers {
  /** @param viewer null for people without an account */
  mayAccessAll(viewer: Viewer | null): boolean;
}

/** Provided by the feature that knows permissions. */
export const accessToAllUsersPort = definePort<AccessToAllUsers>('accessToAllUsersPort');

/** Knows who is in groups. */
export interface GroupMembers {
  /** Everybody in any of the groups, at any depth. @throws ApiError for an ID of no active group */
  membersOf(groupIds: readonly number[]): Iterable<number>;
}

/** Provided by the feature that has the groups. */
export const groupMembersPort = definePort<GroupMembers>('groupMembersPort');

/** Knows the passwords that people have elsewhere. */
export interface PasswordDirectory {
  /** Whether a person's password is checked there alone. */
  keeps(userId: number): Promise<boolean>;
  /**
   * Finds out whose name and password these are.
   * @returns the ID of the account, which may be deactivated; null for wrong ones
   * @throws DirectoryAway
   */
  recognize(name: string, password: string, caller: Caller): Promise<number | null>;
  /** Whether a person has this password. @throws DirectoryAway */
  confirm(userId: number, password: string): Promise<boolean>;
}

/** Provided where the operator has a directory. */
export const passwordDirectoryPort = definePort<PasswordDirectory>('passwordDirectoryPort');

/** Knows the newest message of a person. */
export interface NewestMessages {
  /** Null for a person who never received one. */
  newestFor(db: Queryable, userId: number): Promise<number | null>;
}

/** Provided by the feature that stores messages. */
export const newestMessagesPort = definePort<NewestMessages>('newestMessagesPort');

/** Turns the Markdown of profile fields into safe HTML. */
export interface ProfileTexts {
  render(markdown: string): string;
}

/** Provided by the feature that knows Markdown: profiles are written like messages. */
export const profileTextsPort = definePort<ProfileTexts>('profileTextsPort');

/** Finds the page to which the first sign-in of a user leads. */
export interface StartPage {
  /** @returns a path that works in every browser client */
  pathFor(userId: number): string;
}

/** Provided by the feature that has channels; the default is `/`. */
export const startPagePort = definePort<StartPage>('startPagePort');

/** Knows whether the caller of a request that still waits for its answer would be let in now. */
export interface CallerCheck {
  /** @throws ApiError as the guards would */
  check(request: FastifyRequest): Promise<void>;
}

/** Provided by the feature that lets callers in. */
export const callerCheckPort = definePort<CallerCheck>('callerCheckPort');

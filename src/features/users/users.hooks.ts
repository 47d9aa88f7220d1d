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
 * An account is deactivated or reactivated, within the exclusive transaction: before it becomes invisible, or after it
 * becomes visible again. For features that show data of active people only; the row contains the new state.
 */
export const accountActivityChanged = defineHook<[tx: Transaction, row: Account]>('accountActivityChanged');

/**
 * An account is deleted permanently, within the exclusive transaction. It is already deactivated, and the events were
 * emitted. Listeners delete what they store for it; files only after the commit.
 */
export const personalDataRemoved = defineHook<[tx: Transaction, userId: number]>('personalDataRemoved');

/**
 * All sessions of a person end, except the one that requested it; null means everyone's. Listeners delete what could
 * start another one.
 */
export const allSessionsEnded = defineHook<[tx: Transaction, userId: number | null]>('allSessionsEnded');

/** How many items of each kind were erased, such as `drafts`. */
export type Erased = Readonly<Record<string, number>>;

/**
 * Erases what a deactivated person wrote and uploaded, in steps: each listener deletes up to `limit` items of each kind
 * and returns how many. Runs again until nothing is left. The person's own clients need no events.
 */
export const contentErased = defineHook<[tx: Transaction, userId: number, limit: number], Erased>(
  'contentErased',
);

/**
 * Personal settings change, within the transaction and after their events; contains only settings whose values differ.
 */
export const personalSettingsChanged =
  defineHook<[tx: Transaction, row: Account, changed: Partial<PersonalSettings>]>('personalSettingsChanged');

/**
 * A person's real address changes, within the transaction and before the row is saved.
 * @param formerEmail the previous address
 */
export const emailChanged = defineHook<[tx: Transaction, row: Account, formerEmail: string]>('emailChanged');

/** A change to something with which a person signs in, or which acts on their behalf. */
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
 * A credential of an account was changed by anyone, within the transaction.
 * @param name of the key, passkey or provider
 */
export const credentialsChanged =
  defineHook<[tx: Transaction, userId: number, change: CredentialChange, name?: string]>(
    'credentialsChanged',
  );

/** A person signs in and receives a session or their API key, within the transaction. */
export const signedIn = defineHook<[tx: Transaction, userId: number, origin: RequestOrigin]>('signedIn');

/**
 * Everyone who shares a conversation with a person; each listener returns them for its kind of conversation. Sharing is
 * mutual.
 */
export const conversationPartnersSought = defineHook<[db: Queryable, userId: number], Iterable<number>>(
  'conversationPartnersSought',
);

/** Guests start to see people, within the transaction of the change: guests by the ID of the person they now see. */
export const peopleShown =
  defineHook<[tx: Transaction, watchers: ReadonlyMap<number, Audience>]>('peopleShown');

/** Determines which guests see everyone. */
export interface AccessToAllUsers {
  /** @param viewer null for people without an account */
  mayAccessAll(viewer: Viewer | null): boolean;
}

/** Provided by the feature that manages permissions. */
export const accessToAllUsersPort = definePort<AccessToAllUsers>('accessToAllUsersPort');

/** Looks up members of groups. */
export interface GroupMembers {
  /** Everyone in any of the groups, at any depth of nesting. @throws ApiError for an ID that is not an active group */
  membersOf(groupIds: readonly number[]): Iterable<number>;
}

/** Provided by the feature that manages groups. */
export const groupMembersPort = definePort<GroupMembers>('groupMembersPort');

/** An external directory of passwords. */
export interface PasswordDirectory {
  /** Whether a person's password is stored only there. */
  keeps(userId: number): Promise<boolean>;
  /**
   * Finds the account for a name and password.
   * @returns the ID of the account, which may be deactivated; null if they are wrong
   * @throws DirectoryUnreachable
   */
  recognize(name: string, password: string, caller: Caller): Promise<number | null>;
  /** Whether a person has this password. @throws DirectoryUnreachable */
  confirm(userId: number, password: string): Promise<boolean>;
}

/** Provided if the operator has configured a directory. */
export const passwordDirectoryPort = definePort<PasswordDirectory>('passwordDirectoryPort');

/** Finds the newest message of a person. */
export interface NewestMessages {
  /** Null for a person who never received any. */
  newestFor(db: Queryable, userId: number): Promise<number | null>;
}

/** Provided by the feature that stores messages. */
export const newestMessagesPort = definePort<NewestMessages>('newestMessagesPort');

/** Renders the Markdown of profile fields as safe HTML. */
export interface ProfileTexts {
  render(markdown: string): string;
}

/** Provided by the feature that renders Markdown: profiles use the syntax of messages. */
export const profileTextsPort = definePort<ProfileTexts>('profileTextsPort');

/** Finds the page to open after a user's first sign-in. */
export interface StartPage {
  /** @returns a path that works in every browser client */
  pathFor(userId: number): string;
}

/** Provided by the feature that manages channels; the default is `/`. */
export const startPagePort = definePort<StartPage>('startPagePort');

/** Checks whether the caller of a long-polling request would still be allowed. */
export interface CallerCheck {
  /** @throws ApiError like the guards */
  check(request: FastifyRequest): Promise<void>;
}

/** Provided by the feature that authenticates callers. */
export const callerCheckPort = definePort<CallerCheck>('callerCheckPort');

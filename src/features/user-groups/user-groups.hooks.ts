import type { Actor } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import { defineHook } from '../../platform/hooks/hook';
import type { GroupSettingDefinition } from '../organization-settings/organization-settings.module';
import type { GroupContents, NamedGroup } from './groups/group.directory';
import type { GroupObjection } from './groups/group-records.api';

/** People and groups that came to a group or left it. */
export interface GroupMembershipChange {
  /** Null where accounts only grew old enough. */
  readonly actor: Actor | null;
  /** As it was before; once the change is committed, its members are the new ones. */
  readonly group: NamedGroup;
  readonly after: GroupContents;
  /** Direct members, ascending. */
  readonly addedUserIds: readonly number[];
  readonly removedUserIds: readonly number[];
  /** Whether people are not told. */
  readonly isQuiet?: boolean;
}

/**
 * The members of a group changed. Runs inside the exclusive transaction of the change, after its rows and events are
 * written: the directories in memory still show the state before, and an error undoes everything.
 */
export const groupMembershipChanged =
  defineHook<[tx: Transaction, change: GroupMembershipChange]>('groupMembershipChanged');

/** Whether a permission that a setting gives to a group rests on the groups in question. */
export type RestsOn = (groupId: number, definition: GroupSettingDefinition) => boolean;

/** Asks for the objects in use whose permissions rest on a group or a person, who then cannot be taken away. */
export const restingPermissionsSought = defineHook<[restsOn: RestsOn], readonly GroupObjection[]>(
  'restingPermissionsSought',
);

/**
 * A group that a decision depends on; null for individually chosen people and groups, whose anonymous group is hidden.
 */
export interface ExplainedGroup {
  readonly group: { readonly id: number; readonly name: string } | null;
}

/** Part of what a decision rests on: a group, the name of a setting, or a fact in words. */
export type ReasonLink = string | ExplainedGroup;

/** A decision and what it rests on, from the setting's group down to the person. */
export interface Explanation {
  readonly allowed: boolean;
  readonly chain: readonly ReasonLink[];
}

/** What an action is done to. */
export type ActionObject = 'organization' | 'group' | 'channel' | 'message';

/** Whether a person may do something, asked by that person or an administrator. */
export interface ActionQuestion {
  readonly asker: Actor;
  /** Whom it is about. */
  readonly person: Actor;
  readonly action: string;
  /** ID of the group, channel or message; 0 for the organization. */
  readonly objectId: number;
}

/** The actions on one kind of object, and what decides about each. */
export interface ExplainableActions {
  readonly object: ActionObject;
  readonly names: Iterable<string>;
  /** Asks the code that the endpoints ask. @throws what loading the object throws, for the asker */
  explain(question: ActionQuestion): Explanation | Promise<Explanation>;
}

/** Asks which actions features can give reasons for. */
export const explainableActionsSought = defineHook<[], ExplainableActions>('explainableActionsSought');

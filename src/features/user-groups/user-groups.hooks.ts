import type { Actor } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import { defineHook } from '../../platform/hooks/hook';
import type { GroupSettingDefinition } from '../organization-settings/organization-settings.module';
import type { GroupContents, NamedGroup } from './groups/group.directory';
import type { GroupObjection } from './groups/group-records.api';

/** People and groups that joined or left a group. */
export interface GroupMembershipChange {
  /** Null if accounts merely became old enough. */
  readonly actor: Actor | null;
  /** The group before the change; its members change with the commit. */
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
 * written: the directories in memory still show the previous state, and an error rolls everything back.
 */
export const groupMembershipChanged =
  defineHook<[tx: Transaction, change: GroupMembershipChange]>('groupMembershipChanged');

/** Whether a permission that a setting grants to a group depends on the group or person in question. */
export type DependsOn = (groupId: number, definition: GroupSettingDefinition) => boolean;

/** Finds the active objects whose permissions depend on a group or person, which therefore cannot be deactivated. */
export const dependentPermissionsSought = defineHook<[dependsOn: DependsOn], readonly GroupObjection[]>(
  'dependentPermissionsSought',
);

/**
 * A group on which a decision depends; null for individually selected people and groups, whose anonymous group is
 * hidden.
 */
export interface ExplainedGroup {
  readonly group: { readonly id: number; readonly name: string } | null;
}

/** One step of a decision: a group, the name of a setting, or a fact in words. */
export type ReasonLink = string | ExplainedGroup;

/** A decision and its reasons, from the setting's group down to the person. */
export interface Explanation {
  readonly allowed: boolean;
  readonly chain: readonly ReasonLink[];
}

/** The kind of object of an action. */
export type ActionObject = 'organization' | 'group' | 'channel' | 'message';

/** The question whether a person may do something, asked by that person or an administrator. */
export interface ActionQuestion {
  readonly asker: Actor;
  /** The person in question. */
  readonly person: Actor;
  readonly action: string;
  /** ID of the group, channel or message; 0 for the organization. */
  readonly objectId: number;
}

/** The actions on one kind of object, and how each is decided. */
export interface ExplainableActions {
  readonly object: ActionObject;
  readonly names: Iterable<string>;
  /** Uses the same checks as the endpoints. @throws errors of loading the object on behalf of the caller */
  explain(question: ActionQuestion): Explanation | Promise<Explanation>;
}

/** Collects the actions that features can explain. */
export const explainableActionsSought = defineHook<[], ExplainableActions>('explainableActionsSought');

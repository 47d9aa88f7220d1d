import type { UserGroup } from './user-group.entity';
import { keysOf } from '../../../platform/collections';
import { ParameterProblem } from '../../../platform/errors/request.errors';
import { idList } from '../../../platform/http/parameters/further-types';
import { json } from '../../../platform/http/parameters/json';
import { defineJsonType, type JsonSchema, type JsonType } from '../../../platform/http/parameters/json-type';
import type { GroupSettingDefinition } from '../../organization-settings/organization-settings.module';

/** People and groups named one by one, for whom an anonymous group stands. */
export interface AnonymousGroup {
  readonly direct_members: readonly number[];
  readonly direct_subgroups: readonly number[];
}

/** Who holds a permission: a group's ID, or people and groups named one by one. */
export type GroupSettingValue = number | AnonymousGroup;

/** A new value together with the one the caller believes to be in force. */
export interface GroupSettingChange {
  readonly new: GroupSettingValue;
  /** `null` and absent both mean: do not compare. */
  readonly old?: GroupSettingValue | null;
}

/** Most people, and most groups, who are named one by one: an organization may have twenty-five such values changed. */
const MAX_NAMED = 5_000;

const named = idList({ maxItems: MAX_NAMED });

const shape = json.union({
  int: json.integer(),
  object: json.object({
    direct_members: named,
    direct_subgroups: named,
  }),
});

/** People and groups one by one, as an example. */
export const ONE_BY_ONE: AnonymousGroup = { direct_members: [8, 9], direct_subgroups: [11] };
const VALUES = [11, ONE_BY_ONE];
const CHANGES: GroupSettingChange[] = [{ new: 11 }, { new: ONE_BY_ONE, old: 11 }];

/**
 * A group-setting value by its JSON shape; whether the groups and people exist is for the service to
 * say. Everything that does not fit is "not an integer".
 */
export function groupSettingValue(): JsonType<GroupSettingValue, false> {
  return explained(defineJsonType(undefined, withExamples(shape, VALUES)), inWords(VALUES));
}

/** The `{new, old}` form that updating endpoints take. */
export function groupSettingChange(): JsonType<GroupSettingChange, false> {
  const change = json.object(
    { new: groupSettingValue(), old: json.nullable(groupSettingValue(), { optional: true }) },
    {
      maxCharacters: 131_072,
      maxItems: 2 * MAX_NAMED,
      notAnObject: (at) => `${at} does not have the expected format`,
    },
  );
  return explained(withExamples(change, CHANGES), inWords(CHANGES));
}

function inWords(examples: readonly unknown[]): string {
  const values = examples.map((example) => JSON.stringify(example)).join(' or ');
  return `${values}, where 11 is the ID of a group, as GET /user_groups lists them, and 8 the ID of a user`;
}

function withExamples<Type extends { readonly jsonSchema: JsonSchema }>(
  type: Type,
  examples: readonly unknown[],
): Type {
  return { ...type, jsonSchema: { ...type.jsonSchema, examples } };
}

/** The type, whose refusals say what a right value looks like: the sentences that clients expect do not. */
function explained<T>(type: JsonType<T, false>, expected: string): JsonType<T, false> {
  return {
    ...type,
    decode(raw, at) {
      try {
        return type.decode(raw, at);
      } catch (error) {
        if (!(error instanceof ParameterProblem)) throw error;
        throw new ParameterProblem(error.message, { data: { expected } });
      }
    },
  };
}

/** A permission of a user group: what it accepts, and where it is kept. */
export interface UserGroupSettingDefinition extends GroupSettingDefinition {
  /** Property of the group that holds the ID of the group that has the permission. */
  readonly property: keyof UserGroup & `can${string}Group`;
}

/** The permissions of a user group by their names on the wire, in the order in which they are checked. */
export const USER_GROUP_SETTINGS = {
  /** Who adds members. */
  can_add_members_group: {
    property: 'canAddMembersGroup',
    default: 'creator',
    allowsNobody: true,
    allowsEveryone: false,
  },
  /** Who joins. */
  can_join_group: {
    property: 'canJoinGroup',
    default: 'role:nobody',
    allowsNobody: true,
    allowsEveryone: false,
  },
  /** Which members may leave. */
  can_leave_group: {
    property: 'canLeaveGroup',
    default: 'role:everyone',
    allowsNobody: true,
    allowsEveryone: true,
  },
  /** Who changes the group, its members included. */
  can_manage_group: {
    property: 'canManageGroup',
    default: 'creator',
    allowsNobody: true,
    allowsEveryone: false,
  },
  /** Who mentions the group. */
  can_mention_group: {
    property: 'canMentionGroup',
    default: 'role:everyone',
    allowsNobody: true,
    allowsEveryone: true,
    refuses: ['role:owners'],
  },
  /** Who removes members. */
  can_remove_members_group: {
    property: 'canRemoveMembersGroup',
    default: 'role:nobody',
    allowsNobody: true,
    allowsEveryone: false,
  },
} as const satisfies Record<string, UserGroupSettingDefinition>;

/** Name of a permission of a group. */
export type UserGroupSetting = keyof typeof USER_GROUP_SETTINGS;

/** Something for permissions of a user group, by their names. What the permissions are goes with the names. */
export type ByUserGroupSetting<Value> = { [Name in keyof typeof USER_GROUP_SETTINGS]?: Value };

/** The permissions of a group by name. */
export const USER_GROUP_SETTING_NAMES = keysOf(USER_GROUP_SETTINGS);

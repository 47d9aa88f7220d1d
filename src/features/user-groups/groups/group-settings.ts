import type { UserGroup } from './user-group.entity';
import { keysOf } from '../../../platform/collections';
import { ParameterProblem } from '../../../platform/errors/request.errors';
import { idList } from '../../../platform/http/parameters/further-types';
import { json } from '../../../platform/http/parameters/json';
import { defineJsonType, type JsonSchema, type JsonType } from '../../../platform/http/parameters/json-type';
import type { GroupSettingDefinition } from '../../organization-settings/organization-settings.module';

/** People and groups selected individually, represented by an anonymous group. */
export interface AnonymousGroup {
  readonly direct_members: readonly number[];
  readonly direct_subgroups: readonly number[];
}

/** The holders of a permission: a group's ID, or people and groups selected individually. */
export type GroupSettingValue = number | AnonymousGroup;

/** A new value, and the one that the caller believes to be current. */
export interface GroupSettingChange {
  readonly new: GroupSettingValue;
  /** `null` and absent both mean: do not compare. */
  readonly old?: GroupSettingValue | null;
}

/**
 * Maximum number of people, and of groups, selected individually: a request may change twenty-five such values of the
 * organization.
 */
const MAX_NAMED = 5_000;

const named = idList({ maxItems: MAX_NAMED });

const shape = json.union({
  int: json.integer(),
  object: json.object({
    direct_members: named,
    direct_subgroups: named,
  }),
});

/** An example of people and groups selected individually. */
export const ONE_BY_ONE: AnonymousGroup = { direct_members: [8, 9], direct_subgroups: [11] };
const VALUES = [11, ONE_BY_ONE];
const CHANGES: GroupSettingChange[] = [{ new: 11 }, { new: ONE_BY_ONE, old: 11 }];

/**
 * A group-setting value by its JSON shape; the service checks that groups and people exist. The error for any other
 * shape is "not an integer".
 */
export function groupSettingValue(): JsonType<GroupSettingValue, false> {
  return explained(defineJsonType(undefined, withExamples(shape, VALUES)), inWords(VALUES));
}

/** The `{new, old}` form that updating endpoints accept. */
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

/** Adds to the type's errors a description of valid values, which the texts that clients expect lack. */
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

/** A permission of a user group: the values it accepts, and where it is stored. */
export interface UserGroupSettingDefinition extends GroupSettingDefinition {
  /** Property of the group that holds the ID of the group with the permission. */
  readonly property: keyof UserGroup & `can${string}Group`;
}

/** The permissions of a user group by their names on the wire, in the order in which they are checked. */
export const USER_GROUP_SETTINGS = {
  /** Who may add members. */
  can_add_members_group: {
    property: 'canAddMembersGroup',
    default: 'creator',
    allowsNobody: true,
    allowsEveryone: false,
  },
  /** Who may join. */
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
  /** Who may change the group, including its members. */
  can_manage_group: {
    property: 'canManageGroup',
    default: 'creator',
    allowsNobody: true,
    allowsEveryone: false,
  },
  /** Who may mention the group. */
  can_mention_group: {
    property: 'canMentionGroup',
    default: 'role:everyone',
    allowsNobody: true,
    allowsEveryone: true,
    refuses: ['role:owners'],
  },
  /** Who may remove members. */
  can_remove_members_group: {
    property: 'canRemoveMembersGroup',
    default: 'role:nobody',
    allowsNobody: true,
    allowsEveryone: false,
  },
} as const satisfies Record<string, UserGroupSettingDefinition>;

/** Name of a permission of a group. */
export type UserGroupSetting = keyof typeof USER_GROUP_SETTINGS;

/** Values for permissions of a user group, by name. */
export type ByUserGroupSetting<Value> = { [Name in keyof typeof USER_GROUP_SETTINGS]?: Value };

/** The permissions of a group by name. */
export const USER_GROUP_SETTING_NAMES = keysOf(USER_GROUP_SETTINGS);

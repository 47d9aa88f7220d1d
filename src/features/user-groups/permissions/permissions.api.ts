import {
  type GroupSettingDefinition,
  ORGANIZATION_GROUP_SETTINGS,
  type OrganizationGroupSetting,
  SYSTEM_GROUP_NAMES,
  type SystemGroupName,
} from '../../organization-settings/organization-settings.module';
import { type GroupSettingValue, USER_GROUP_SETTINGS } from '../groups/group-settings';
import { defineEvent } from '../../../platform/events/server-event';

/** Values of all permissions, and their legacy equivalents. */
export type OrganizationPermissionsWire = Readonly<Record<OrganizationGroupSetting, GroupSettingValue>> &
  LegacyPolicies;

/** The values that a setting accepts, as sent to clients. */
export interface PermissionSettingWire {
  readonly require_system_group: boolean;
  readonly allow_internet_group: false;
  readonly allow_nobody_group: boolean;
  readonly allow_everyone_group: boolean;
  readonly default_group_name: string;
  readonly default_for_system_groups: string | null;
  /** Empty if the flags are sufficient. */
  readonly allowed_system_groups: readonly SystemGroupName[];
}

type Definitions = Readonly<Record<string, GroupSettingDefinition>>;

/**
 * @param creatorName represents the creator of the object as the holder of a permission
 * @param defaultForSystemGroups holder of the permission in system groups; null if it is not a permission of groups
 */
export function permissionSettingsWire(
  definitions: Definitions,
  creatorName: string,
  defaultForSystemGroups: SystemGroupName | null = null,
): Record<string, PermissionSettingWire> {
  const wire = (definition: GroupSettingDefinition): PermissionSettingWire => ({
    require_system_group: definition.onlySystemGroups !== undefined,
    allow_internet_group: false,
    allow_nobody_group: definition.allowsNobody,
    allow_everyone_group: definition.allowsEveryone,
    default_group_name: definition.default === 'creator' ? creatorName : definition.default,
    default_for_system_groups: defaultForSystemGroups,
    allowed_system_groups: allowedSystemGroups(definition),
  });
  return Object.fromEntries(Object.entries(definitions).map(([name, each]) => [name, wire(each)]));
}

/** For the permissions of the organization and of groups; channels provide their own. */
export const ORGANIZATION_PERMISSION_SETTINGS = permissionSettingsWire(ORGANIZATION_GROUP_SETTINGS, '');
export const GROUP_PERMISSION_SETTINGS = permissionSettingsWire(
  USER_GROUP_SETTINGS,
  'group_creator',
  'role:nobody',
);

function allowedSystemGroups({ onlySystemGroups, refuses }: GroupSettingDefinition): SystemGroupName[] {
  if (onlySystemGroups) return [...onlySystemGroups];
  if (!refuses) return [];
  return SYSTEM_GROUP_NAMES.filter((name) => name !== 'role:internet' && !refuses.includes(name));
}

/** A number for the holders of a permission, for clients that do not support groups in settings. */
interface LegacyPolicy {
  readonly property: string;
  readonly values: Readonly<Partial<Record<SystemGroupName, number>>>;
  /** For all other groups: the number of the largest group that has one. */
  readonly otherwise: number;
}

const membersAndAbove = {
  values: {
    'role:members': 1,
    'role:administrators': 2,
    'role:fullmembers': 3,
    'role:moderators': 4,
  },
  otherwise: 1,
} as const;

/** Permissions with a legacy number, by name. */
const LEGACY_POLICIES = {
  can_create_public_channel_group: { property: 'create_public_stream_policy', ...membersAndAbove },
  can_create_private_channel_group: { property: 'create_private_stream_policy', ...membersAndAbove },
  can_create_web_public_channel_group: {
    property: 'create_web_public_stream_policy',
    values: { 'role:administrators': 2, 'role:moderators': 4, 'role:nobody': 6, 'role:owners': 7 },
    otherwise: 4,
  },
  can_mention_many_users_group: {
    property: 'wildcard_mention_policy',
    values: {
      'role:everyone': 1,
      'role:members': 2,
      'role:fullmembers': 3,
      'role:administrators': 5,
      'role:nobody': 6,
      'role:moderators': 7,
    },
    otherwise: 1,
  },
} as const satisfies Partial<Record<OrganizationGroupSetting, LegacyPolicy>>;

/** The legacy equivalents of the organization's permissions. */
export type LegacyPolicies = Readonly<
  Record<(typeof LEGACY_POLICIES)[keyof typeof LEGACY_POLICIES]['property'], number>
>;

/**
 * The legacy number of a permission of the organization, by its name; most permissions have none.
 * @param systemGroup the group that holds the permission, if it is a system group
 */
export function legacyPolicyWire(
  setting: OrganizationGroupSetting,
  systemGroup: SystemGroupName | null,
): Record<string, number> {
  const policy = (LEGACY_POLICIES as Partial<Record<OrganizationGroupSetting, LegacyPolicy>>)[setting];
  if (!policy) return {};
  return { [policy.property]: (systemGroup && policy.values[systemGroup]) ?? policy.otherwise };
}

/** Permissions of the organization under their names in the initial state. */
export function permissionsState<Permissions extends object>(permissions: Permissions) {
  const named = Object.entries(permissions).map(([name, value]: [string, unknown]) => [
    `realm_${name}`,
    value,
  ]);
  return Object.fromEntries(named) as {
    readonly [Name in keyof Permissions & string as `realm_${Name}`]: Permissions[Name];
  };
}

/** The value of a permission of the organization changed. */
export const organizationPermissionsChanged = defineEvent<{
  property: 'default';
  data: Partial<OrganizationPermissionsWire>;
}>('realm', 'update_dict');

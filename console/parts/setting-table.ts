/** The control of a setting. */
export type Control =
  /** A switch; inverted if the API's name says what is forbidden. */
  | { readonly kind: 'switch'; readonly isInverted?: true }
  | { readonly kind: 'text' | 'area'; readonly maxLength: number }
  | { readonly kind: 'choice'; readonly values: readonly (string | number)[] }
  /** A number with a unit, or unlimited. `default` is the value that means the organization's limit. */
  | { readonly kind: 'limit'; readonly unit: 'seconds' | 'days'; readonly default?: string }
  | { readonly kind: 'days' }
  /** A permission. */
  | { readonly kind: 'group' }
  | { readonly kind: 'channel'; readonly isPrivate?: true }
  | { readonly kind: 'language' };

/** A setting on a page: its name in the API, and its control. Its words have the same name. */
export interface SettingEntry<Name extends string = string> {
  readonly name: Name;
  readonly control: Control;
  /** Only owners may change it; administrators can see it. */
  readonly isForOwners?: true;
}

/** Related settings under a heading. */
export interface SettingSection<Name extends string = string, Title extends string = string> {
  readonly title: Title;
  readonly settings: readonly SettingEntry<Name>[];
}

/** Words of a setting: its label, its hint, and the labels of its choices. */
export interface SettingWords {
  readonly label: string;
  readonly hint?: string;
  readonly choices?: Readonly<Record<string, string>>;
}

/** A limit in the format of API requests. */
export type Limit = number | string;

export const UNLIMITED = 'unlimited';

/**
 * Converts a limit from API responses to the format of requests: null and -1 mean unlimited, or null means the default.
 */
export function limitOf(told: unknown, byDefault?: string): Limit {
  if (typeof told === 'number' && told > 0) return told;
  return told === null && byDefault ? byDefault : UNLIMITED;
}

/** Seconds per unit. */
export const UNITS = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const;
export type Unit = keyof typeof UNITS;

/** Limits that can be chosen without entering a number. */
export const USUAL_LIMITS = {
  seconds: [120, 600, 3600, 86_400, 604_800],
  days: [30, 90, 365],
} as const;

/** Expresses seconds in the largest unit that divides them evenly. */
export function inUnits(seconds: number): { readonly count: number; readonly unit: Unit } {
  const unit = (['day', 'hour', 'minute'] as const).find((each) => seconds % UNITS[each] === 0) ?? 'second';
  return { count: seconds / UNITS[unit], unit };
}

/** The server's rules on which system groups may hold a permission. */
export interface PermissionRule {
  readonly require_system_group: boolean;
  readonly allow_nobody_group: boolean;
  readonly allow_everyone_group: boolean;
  /** Empty if the other rules suffice. */
  readonly allowed_system_groups: readonly string[];
}

/** Whether a system group may hold a permission. */
export function isRoleAllowed(rule: PermissionRule | undefined, role: string): boolean {
  if (role === 'role:internet') return false;
  if (!rule) return true;
  if (rule.allowed_system_groups.length > 0) return rule.allowed_system_groups.includes(role);
  if (role === 'role:nobody') return rule.allow_nobody_group;
  return role !== 'role:everyone' || rule.allow_everyone_group;
}

/** Properties of a setting's control. */
export interface ControlProperties {
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly disabled: boolean;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
}

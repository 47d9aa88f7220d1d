/** How a setting is shown and changed. */
export type Control =
  /** On or off; inverted where the server's name says what is forbidden. */
  | { readonly kind: 'switch'; readonly isInverted?: true }
  | { readonly kind: 'text' | 'area'; readonly maxLength: number }
  | { readonly kind: 'choice'; readonly values: readonly (string | number)[] }
  /** How long: a number with a unit, or no limit. `default` names what stands for the value of the organization. */
  | { readonly kind: 'limit'; readonly unit: 'seconds' | 'days'; readonly default?: string }
  | { readonly kind: 'days' }
  /** A permission. */
  | { readonly kind: 'group' }
  | { readonly kind: 'channel'; readonly isPrivate?: true }
  | { readonly kind: 'language' };

/** A setting on a page: its name in the API, and its control. The words for it have the same name. */
export interface SettingEntry<Name extends string = string> {
  readonly name: Name;
  readonly control: Control;
  /** Only owners may change it; administrators see it. */
  readonly isForOwners?: true;
}

/** Settings that belong together, under the heading of this name. */
export interface SettingSection<Name extends string = string, Title extends string = string> {
  readonly title: Title;
  readonly settings: readonly SettingEntry<Name>[];
}

/** What a setting is called, what one should know about it, and what its choices are called. */
export interface SettingWords {
  readonly label: string;
  readonly hint?: string;
  readonly choices?: Readonly<Record<string, string>>;
}

/** A limit as the API takes it. */
export type Limit = number | string;

export const UNLIMITED = 'unlimited';

/** A limit as the API takes it, from how it is told: null and -1 stand for none, or null for the organization's. */
export function limitOf(told: unknown, byDefault?: string): Limit {
  if (typeof told === 'number' && told > 0) return told;
  return told === null && byDefault ? byDefault : UNLIMITED;
}

/** Seconds, or days, that a unit has. */
export const UNITS = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const;
export type Unit = keyof typeof UNITS;

/** Limits that can be chosen without entering a number. */
export const USUAL_LIMITS = {
  seconds: [120, 600, 3600, 86_400, 604_800],
  days: [30, 90, 365],
} as const;

/** A number of seconds in the largest unit of which it has a whole number. */
export function inUnits(seconds: number): { readonly count: number; readonly unit: Unit } {
  const unit = (['day', 'hour', 'minute'] as const).find((each) => seconds % UNITS[each] === 0) ?? 'second';
  return { count: seconds / UNITS[unit], unit };
}

/** Which groups of roles may hold a permission, as the server tells. */
export interface PermissionRule {
  readonly require_system_group: boolean;
  readonly allow_nobody_group: boolean;
  readonly allow_everyone_group: boolean;
  /** Empty where the others say it all. */
  readonly allowed_system_groups: readonly string[];
}

/** Whether a group of a role may hold a permission. */
export function isRoleAllowed(rule: PermissionRule | undefined, role: string): boolean {
  if (role === 'role:internet') return false;
  if (!rule) return true;
  if (rule.allowed_system_groups.length > 0) return rule.allowed_system_groups.includes(role);
  if (role === 'role:nobody') return rule.allow_nobody_group;
  return role !== 'role:everyone' || rule.allow_everyone_group;
}

/** What a control shows of a setting, and does with it. */
export interface ControlProperties {
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly disabled: boolean;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
}

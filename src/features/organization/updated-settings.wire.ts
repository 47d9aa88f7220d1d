import {
  type OrganizationGroupSetting,
  type OrganizationSettings,
  type OrganizationSettingsWire,
  wireNameOf,
} from '../organization-settings';
import type { GroupSettingValue } from '../user-groups';

/** Words that are answered by the numbers which they once were. */
const NUMBERS = {
  message_edit_history_visibility_policy: { all: 1, moves: 2, none: 3 },
  topics_policy: { allow_empty_topic: 2, disable_empty_topic: 3 },
} as const satisfies {
  readonly [Name in keyof OrganizationSettings]?: Record<OrganizationSettings[Name] & string, number>;
};

type Numbered = keyof typeof NUMBERS;

/** Texts are not repeated: that they changed is all that is said. */
type Answered<Name, Value> = Name extends Numbered ? number : Value extends string ? 'updated' : Value;

type NotTold = 'mandatory_topics' | 'allow_edit_history' | 'giphy_rating';

/** The answer of `PATCH /realm`: what changed. */
export type UpdatedSettingsWire = {
  readonly [Name in Exclude<keyof OrganizationSettingsWire, NotTold>]?: Answered<
    Name,
    OrganizationSettingsWire[Name]
  >;
} & { readonly [Name in OrganizationGroupSetting]?: GroupSettingValue } & {
  readonly authentication_methods?: Readonly<Record<string, boolean>>;
};

/** A setting as the answer names it. */
export function updatedSettingWire(setting: keyof OrganizationSettings, value: unknown): UpdatedSettingsWire {
  return { [wireNameOf(setting)]: answered(setting, value) };
}

/** Whether the setting is answered even where the request left it as it was. */
export function isAlwaysAnswered(setting: keyof OrganizationSettings): boolean {
  return setting in NUMBERS || setting === 'organization_type';
}

function answered(setting: keyof OrganizationSettings, value: unknown): unknown {
  if (isNumbered(setting)) return (NUMBERS[setting] as Readonly<Record<string, number>>)[value as string];
  return typeof value === 'string' ? 'updated' : value;
}

function isNumbered(setting: keyof OrganizationSettings): setting is Numbered {
  return setting in NUMBERS;
}

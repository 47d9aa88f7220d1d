import type { Queryable } from '../../../../platform/sql/queryable';
import {
  ORGANIZATION_GROUP_SETTINGS,
  ORGANIZATION_GROUP_SETTING_NAMES,
  ORGANIZATION_SETTING_DEFAULTS,
  type OrganizationGroupSetting,
  type OrganizationSettings,
} from '../../../organization-settings/organization-settings.module';
import type { ExportScope } from './export-scope';

/** The number of the organization in the archive; there is one. */
export const REALM = 1;

/** Kinds of recipients, as the archive numbers them. */
export const RecipientType = { person: 1, channel: 2, group: 3 } as const;

/** The ID of a recipient, which the archive needs and the database does not have. */
export function recipientId(type: 1 | 2 | 3, typeId: number): number {
  return typeId * 3 + type - 1;
}

/** Numbers the client programs that an archive names. */
class ClientNumbers {
  private readonly numbers = new Map<string, number>();

  /** Programs name themselves as they like, so only so many are told apart. */
  numberOf(name: string): number {
    const kept = this.numbers.has(name) || this.numbers.size < MOST_CLIENTS ? name : OTHER_CLIENT;
    const number = this.numbers.get(kept) ?? this.numbers.size + 1;
    this.numbers.set(kept, number);
    return number;
  }

  /** The programs that were named, ascending by number. */
  *rows(): Iterable<{ id: number; name: string }> {
    for (const [name, id] of this.numbers) yield { id, name };
  }
}

const MOST_CLIENTS = 10_000;
const OTHER_CLIENT = 'Unspecified';

/** What everything that writes a part of an archive needs. */
export class ExportContext {
  readonly clients = new ClientNumbers();

  private constructor(
    /** The view that is exported. */
    readonly db: Queryable,
    readonly scope: ExportScope,
    /** For addresses that stand for others. */
    readonly emailDomain: string,
    private readonly stored: Readonly<Record<string, unknown>>,
    private readonly systemGroups: ReadonlyMap<string, number>,
  ) {}

  static async of(db: Queryable, scope: ExportScope, emailDomain: string): Promise<ExportContext> {
    const settings = await db.query<{ name: string; value: string }>(
      'SELECT name, value FROM organization_setting',
    );
    const groups = await db.query<{ id: number; name: string }>(
      'SELECT id, name FROM user_group WHERE is_system = ?',
      [true],
    );
    const stored = Object.fromEntries(
      settings.map(({ name, value }) => [name, JSON.parse(value) as unknown]),
    );
    return new ExportContext(
      db,
      scope,
      emailDomain,
      stored,
      new Map(groups.map(({ id, name }) => [name, id])),
    );
  }

  /** The settings of the organization, as the view has them. */
  get settings(): OrganizationSettings {
    return { ...ORGANIZATION_SETTING_DEFAULTS, ...this.stored };
  }

  /** The group that has each permission in the organization. */
  get permissions(): Record<OrganizationGroupSetting, number> {
    const values = ORGANIZATION_GROUP_SETTING_NAMES.map((name) => [
      name,
      (this.stored[name] as number | undefined) ??
        this.systemGroup(ORGANIZATION_GROUP_SETTINGS[name].default),
    ]);
    return Object.fromEntries(values) as Record<OrganizationGroupSetting, number>;
  }

  systemGroup(name: string): number {
    const id = this.systemGroups.get(name);
    if (id === undefined) throw new Error(`The system group ${name} does not exist.`);
    return id;
  }
}

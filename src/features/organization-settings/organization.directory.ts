import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { IdentityProviders } from '../../platform/config/identity-providers';
import type { Queryable } from '../../platform/sql/queryable';
import type { Transaction } from '../../platform/database/transaction.service';
import { Directories, Directory } from '../../platform/events/directories';
import {
  ORGANIZATION_SETTING_DEFAULTS,
  type OrganizationGroupSetting,
  type OrganizationSettings,
} from './organization-settings';

/** A sign-in method. */
export type SignInMethod = 'Dev' | 'Email' | 'LDAP' | 'OpenID Connect' | 'SAML';

/**
 * The organization's settings in memory. Settings that name a group contain the group's ID; settings that were never
 * stored have their default.
 */
@Injectable()
export class OrganizationDirectory extends Directory {
  readonly name = 'organization';

  private stored: Readonly<Record<string, unknown>> = {};
  private current: Readonly<OrganizationSettings> = ORGANIZATION_SETTING_DEFAULTS;

  constructor(
    directories: Directories,
    private readonly config: Config,
    private readonly providers: IdentityProviders,
  ) {
    super();
    directories.register(this);
  }

  get settings(): Readonly<OrganizationSettings> {
    return this.current;
  }

  /** Whether server and organization let people without an account read web-public channels. */
  get isOpenToSpectators(): boolean {
    return this.config.webPublicStreamsEnabled && this.current.enable_spectator_access;
  }

  /** Whether the organization is deactivated, until the operator reactivates it. */
  get isDeactivated(): boolean {
    return this.current.deactivated_at !== null;
  }

  /**
   * The sign-in methods that the server supports, and whether the organization enables them: `Email` is address and
   * password, `LDAP` the password of a directory, `Dev` no password on development servers, `OpenID Connect` and `SAML`
   * identity providers. If all remaining ones are disabled, none counts as disabled.
   */
  get signInMethods(): Readonly<Partial<Record<SignInMethod, boolean>>> {
    const names: SignInMethod[] = this.config.isDevelopment ? ['Dev', 'Email'] : ['Email'];
    if (this.config.ldapDirectory !== null) names.push('LDAP');
    if (this.providers.of('saml').length > 0) names.push('SAML');
    if (this.providers.of('oidc').length > 0) names.push('OpenID Connect');
    const chosen = this.current.authentication_methods;
    const isAllOff = names.every((name) => chosen[name] === false);
    return Object.fromEntries(names.map((name) => [name, isAllOff || chosen[name] !== false]));
  }

  /** ID of the group that holds the permission; undefined while it has its default. */
  groupSetting(setting: OrganizationGroupSetting): number | undefined {
    return this.stored[setting] as number | undefined;
  }

  /** Writes a setting, which is visible here after the commit. Requires an exclusive transaction. */
  async store(
    tx: Transaction,
    setting: keyof OrganizationSettings | OrganizationGroupSetting,
    value: unknown,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO organization_setting (name, value) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [setting, JSON.stringify(value)],
    );
    tx.touch('organization', [1]);
  }

  async load(db: Queryable): Promise<void> {
    const rows = await db.query<{ name: string; value: string }>(
      'SELECT name, value FROM organization_setting',
    );
    this.stored = Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value) as unknown]));
    this.current = { ...ORGANIZATION_SETTING_DEFAULTS, ...this.stored };
  }

  /** The table is small and its rows have names instead of IDs: any change reloads all of it. */
  async refresh(db: Queryable): Promise<void> {
    await this.load(db);
  }
}

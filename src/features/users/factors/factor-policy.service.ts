import { Injectable } from '@nestjs/common';
import { isAdministrator } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import type { AccountRecord } from '../accounts/account.directory';

/** Decides who must have a second factor. */
@Injectable()
export class FactorPolicy {
  constructor(
    private readonly organization: OrganizationDirectory,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether the organization currently requires a second factor of this person. Never for bots, which do not sign in.
   */
  requires(account: Pick<AccountRecord, 'role' | 'isBot'>): boolean {
    const { of, from } = this.organization.settings.second_factor_required;
    if (of === 'nobody' || account.isBot || from > this.clock.nowSeconds()) return false;
    return of === 'everyone' || isAdministrator(account);
  }
}

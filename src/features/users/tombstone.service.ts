import { Injectable } from '@nestjs/common';
import { Role } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import { ApiKeys } from '../../platform/secrets/api-keys';
import { AuditLog } from '../audit/audit.module';
import { EmailVisibility } from './accounts/accounts.api';
import type { Account } from './accounts/account.entity';
import { AccountChanges } from './records/account-changes.service';
import { AvatarService } from './avatars/avatar.service';
import { personalDataRemoved } from './users.hooks';
import { ClientDeviceService, PushTokenService } from './devices/devices.service';

/**
 * Turns the row of a deactivated person into a tombstone: keeps the ID, because other rows refer to it, and deletes
 * everything that identifies the person. Emits the anonymous record to everyone.
 */
@Injectable()
export class TombstoneService {
  constructor(
    private readonly changes: AccountChanges,
    private readonly avatars: AvatarService,
    private readonly tokens: PushTokenService,
    private readonly devices: ClientDeviceService,
    private readonly audit: AuditLog,
    private readonly hooks: Hooks,
  ) {}

  /** Called within the caller's exclusive transaction. */
  async put(tx: Transaction, userId: number): Promise<void> {
    await this.hooks.run(personalDataRemoved, tx, userId);
    this.audit.forget(tx, userId);
    await this.tokens.removeAll(tx, userId);
    await this.devices.removeAll(tx, userId);
    const row = await this.changes.load(tx, userId);
    const { avatarKey } = row;
    await this.forgetProfile(tx, row);
    await this.forgetAddress(tx, row);
    await this.avatars.use(tx, row, null);
    await this.changes.announce(tx, row, { full_name: (row.fullName = `Deleted user ${row.id}`) });
    if (row.timezone !== '') await this.changes.changeTimezone(tx, row, '');
    if (row.role !== Role.member) await this.changes.announce(tx, row, { role: (row.role = Role.member) });
    forgetSecrets(row);
    row.isDeleted = true;
    await this.changes.announce(tx, row, { is_deleted: true });
    await this.changes.save(tx, row);
    tx.afterCommit(() => this.avatars.discard(avatarKey));
  }

  private async forgetProfile(tx: Transaction, row: Account): Promise<void> {
    const entered = await tx.query<{ field_id: number }>(
      'DELETE FROM custom_profile_value WHERE user_id = ? RETURNING field_id',
      [row.id],
    );
    for (const { field_id: id } of entered) {
      await this.changes.announce(tx, row, { custom_profile_field: { id, value: null } });
    }
    tx.touch('profiles', [row.id]);
  }

  /** Frees the address for other accounts. Its replacement is not a valid address, so no account can have it. */
  private async forgetAddress(tx: Transaction, row: Account): Promise<void> {
    if (row.emailVisibility !== EmailVisibility.nobody) {
      await this.changes.changeEmailVisibility(tx, row, EmailVisibility.nobody);
    }
    row.deliveryEmail = `deleted-user-${row.id}`;
    row.emailKey = row.deliveryEmail;
  }
}

function forgetSecrets(row: Account): void {
  row.passwordHash = null;
  row.keyNonce = ApiKeys.newNonce();
  row.canCreateUsers = false;
  row.awaitsFirstLogin = false;
  row.settings = '{}';
  row.editedSettings = '[]';
}

import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import {
  type Account,
  type PersonalSettingObserver,
  PersonalSettingObserverRegistry,
  type PersonalSettings,
  UserVisibility,
} from '../users';
import { PresenceService } from './presence.service';
import { userStatusChanged } from './user-status.events';

/** Tells others when somebody begins or ends to hide their presence; old clients know it as being away. */
@Injectable()
export class PresenceSettingService implements PersonalSettingObserver {
  constructor(
    private readonly presence: PresenceService,
    private readonly visibility: UserVisibility,
    registry: PersonalSettingObserverRegistry,
  ) {
    registry.register(this);
  }

  async settingsChange(tx: Transaction, row: Account, changed: Partial<PersonalSettings>): Promise<void> {
    const { presence_enabled: isEnabled } = changed;
    if (isEnabled === undefined) return;
    const audience = await this.visibility.audienceOf(tx, row);
    tx.emit(userStatusChanged({ user_id: row.id, away: !isEnabled }), audience);
  }

  async settingsChanged(userId: number, changed: Partial<PersonalSettings>): Promise<void> {
    const { presence_enabled: isEnabled } = changed;
    if (isEnabled === undefined) return;
    if (isEnabled) await this.presence.appear(userId);
    else await this.presence.disappear(userId);
  }
}

import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { TransientEvents } from '../../../platform/events/transient-events';
import { Hooks } from '../../../platform/hooks/hooks';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  AccountDirectory,
  type AccountRecord,
  personalSettingsChanged,
  UserVisibility,
} from '../../users/users.module';
import { OFFLINE_AFTER_SECONDS, PresenceDirectory, type PresenceRecord } from './presence.directory';
import { InvalidPresenceStatus, legacyPresenceWire, presenceChanged, presenceWire } from './presence.api';
import { isShared } from './presence-list.service';

/** The capability by which queues select the current form of events. */
const SIMPLIFIED = 'simplified_presence_events';
const SLIM = 'slim_presence';

/** Records who is online, and emits when a person comes online. */
@Injectable()
export class PresenceService {
  constructor(
    private readonly directory: PresenceDirectory,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly visibility: UserVisibility,
    private readonly database: Database,
    private readonly events: TransientEvents,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(personalSettingsChanged, (tx, row, { presence_enabled: isEnabled }) => {
      if (isEnabled !== undefined) tx.afterCommit(() => this.showOrHide(row.id, isEnabled));
    });
  }

  /**
   * A person's client reports that it is running. Nothing is recorded for people who hide their presence.
   * @throws InvalidPresenceStatus
   */
  async report(actor: Actor, status: string): Promise<void> {
    if (status !== 'active' && status !== 'idle') throw new InvalidPresenceStatus(status);
    const account = this.accounts.byId(actor.userId);
    if (!account || !isShared(account) || this.organization.settings.presence_disabled) return;
    const { record, cameOnline } = this.directory.note(account.id, status === 'active');
    if (cameOnline) await this.tell(account, record);
  }

  /**
   * Immediately shows a person who now shares their presence, or shows one who hides it as offline: the data is kept,
   * but no longer sent.
   */
  private async showOrHide(userId: number, isEnabled: boolean): Promise<void> {
    const account = this.accounts.byId(userId);
    if (!account || this.organization.settings.presence_disabled) return;
    if (isEnabled) return this.tell(account, this.directory.note(userId, true).record);
    const before = this.clock.nowSeconds() - OFFLINE_AFTER_SECONDS - 1;
    await this.tell(account, { userId, activeAt: before, connectedAt: before, updateId: -1 });
  }

  private async tell(account: AccountRecord, record: PresenceRecord): Promise<void> {
    const audience = await this.visibility.audienceOf(this.database.read, account);
    const presences = { [account.id]: presenceWire(record, account.dateJoined) };
    this.events.publish(presenceChanged({ presences }), audience, { requires: SIMPLIFIED });
    const { website } = legacyPresenceWire(record);
    const slim = {
      user_id: account.id,
      server_timestamp: this.clock.nowMs() / 1000,
      presence: { website },
    };
    this.events.publish(presenceChanged(slim), audience, { requires: SLIM, unless: SIMPLIFIED });
    const legacy = { ...slim, email: this.accounts.apiEmail(account) };
    this.events.publish(presenceChanged(legacy), audience, { unless: [SLIM, SIMPLIFIED] });
  }
}

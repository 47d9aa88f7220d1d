import { Injectable } from '@nestjs/common';
import { initialState, stateFor, type StateReader } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';
import {
  type Account,
  accountActivityChanged,
  AccountDirectory,
  peopleShown,
  personalSetting,
  personalSettingsChanged,
  UserVisibility,
} from '../../users/users.module';
import { statusesOf, statusOf } from './user-status-rows';
import {
  EMPTY_STATUS,
  statusChangeWire,
  type StatusChangeWire,
  userStatusChanged,
  userStatusesWire,
  userStatusWire,
} from './user-status.api';

/** Tells people about the statuses of others when something else than the status changes. */
@Injectable()
export class ShownStatusService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly visibility: UserVisibility,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('user_status', async (db, { reader }) => ({
        user_status: reader ? await this.statuses(db, reader) : {},
      })),
    );
    hooks.on(accountActivityChanged, (tx, row) => this.activityChanged(tx, row));
    hooks.on(peopleShown, (tx, watchers) => this.introduce(tx, watchers));
    // Old clients know a person who hides their presence as being away.
    hooks.on(personalSettingsChanged, async (tx, row, { presence_enabled: isEnabled }) => {
      if (isEnabled !== undefined) await this.tell(tx, row, { away: !isEnabled });
    });
  }

  private async statuses(db: Queryable, reader: StateReader) {
    const sees = await this.visibility.filterFor(db, reader);
    const people = this.accounts.all().filter((each) => each.isActive && !each.isBot && sees(each));
    const shown = new Set(people.map(({ id }) => id));
    const statuses = [...(await statusesOf(db))].filter(([userId]) => shown.has(userId));
    const away = people.filter(({ settings }) => !personalSetting(settings, 'presence_enabled'));
    return userStatusesWire(new Map(statuses), new Set(away.map(({ id }) => id)));
  }

  /** The status of an account that leaves is no longer shown, and is shown again when it comes back. */
  private async activityChanged(tx: Transaction, row: Account): Promise<void> {
    const settings = JSON.parse(row.settings) as Record<string, unknown>;
    const isAway = !row.isBot && !personalSetting(settings, 'presence_enabled');
    const status = await statusOf(tx, row.id);
    const change = row.isActive
      ? statusChangeWire(EMPTY_STATUS, status)
      : statusChangeWire(status, EMPTY_STATUS);
    await this.tell(tx, row, { ...(isAway ? { away: row.isActive } : {}), ...change });
  }

  /** Tells people who begin to see a person about the status; their clients forgot it, or never knew it. */
  private async introduce(tx: Transaction, watchers: ReadonlyMap<number, Audience>): Promise<void> {
    const statuses = await statusesOf(tx, [...watchers.keys()]);
    for (const [userId, audience] of watchers) {
      const account = this.accounts.byId(userId);
      if (!account || account.isBot) continue;
      const isAway = !personalSetting(account.settings, 'presence_enabled');
      const status = userStatusWire(statuses.get(userId) ?? EMPTY_STATUS, isAway);
      if (Object.keys(status).length === 0) continue;
      tx.emit(userStatusChanged({ user_id: userId, ...status }), audience);
    }
  }

  private async tell(tx: Transaction, row: Account, change: StatusChangeWire): Promise<void> {
    if (Object.keys(change).length === 0) return;
    const audience = await this.visibility.audienceOf(tx, row);
    tx.emit(userStatusChanged({ user_id: row.id, ...change }), audience);
  }
}

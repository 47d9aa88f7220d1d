import { Injectable } from '@nestjs/common';
import { InitialStateRegistry } from '../../platform/client-state/initial-state.registry';
import type { StateReader } from '../../platform/client-state/state-contributor';
import type { Queryable } from '../../platform/database/queryable';
import { AccountDirectory, personalSetting, UserVisibility } from '../users';
import { UserStatusRowsService } from './user-status-rows.service';
import { userStatusesWire } from './user-status.wire';

/** Tells clients that register what people say of themselves. */
@Injectable()
export class UserStatusStateService {
  constructor(
    private readonly rows: UserStatusRowsService,
    private readonly accounts: AccountDirectory,
    private readonly visibility: UserVisibility,
    registry: InitialStateRegistry,
  ) {
    registry.register({
      fetchType: 'user_status',
      state: async (db, { reader }) => ({ user_status: reader ? await this.statuses(db, reader) : {} }),
    });
  }

  private async statuses(db: Queryable, reader: StateReader) {
    const sees = await this.visibility.filterFor(db, reader);
    const people = this.accounts.all().filter((each) => each.isActive && !each.isBot && sees(each));
    const shown = new Set(people.map(({ id }) => id));
    const statuses = [...(await this.rows.all(db))].filter(([userId]) => shown.has(userId));
    const away = people.filter(({ settings }) => !personalSetting(settings, 'presence_enabled'));
    return userStatusesWire(new Map(statuses), new Set(away.map(({ id }) => id)));
  }
}

import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Database } from '../../platform/database/database.service';
import { personalSetting, UserAccess } from '../users';
import { UserStatusRowsService } from './user-status-rows.service';
import { userStatusWire, type UserStatusWire } from './user-status.wire';

/** Answers what a person says of themselves. */
@Injectable()
export class ReadStatusService {
  constructor(
    private readonly database: Database,
    private readonly rows: UserStatusRowsService,
    private readonly users: UserAccess,
  ) {}

  /** @throws NoSuchUser, for bots as well, UserIsDeactivated, InsufficientPermission */
  async get(actor: Actor, userId: number): Promise<UserStatusWire> {
    const account = await this.users.activePersonForReading(actor, userId);
    const status = await this.rows.of(this.database.read, userId);
    return userStatusWire(status, !personalSetting(account.settings, 'presence_enabled'));
  }
}

import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { PresenceDirectory } from './presence.directory';
import { PresenceStoreService } from './presence-store.service';

/** Knows when users were last active in any client. */
@Injectable()
export class LastActivityService {
  constructor(
    private readonly directory: PresenceDirectory,
    private readonly store: PresenceStoreService,
  ) {}

  /** UNIX seconds; null for users who were never active or hide it. */
  async of(db: Queryable, userId: number): Promise<number | null> {
    await this.store.catchUp(db);
    return this.directory.byId(userId)?.activeAt ?? null;
  }
}

import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { Directories, Directory } from '../../../platform/events/directories';
import type { ProfileData } from './user-records.api';

interface Row {
  user_id: number;
  field_id: number;
  value: string;
  rendered_value: string | null;
}

const NOTHING_ENTERED: ProfileData = {};

/** Values of profile fields in memory: clients receive everyone's in the initial state. Touched by user IDs. */
@Injectable()
export class ProfileDirectory extends Directory {
  readonly name = 'profiles';

  private readonly profiles = new Map<number, ProfileData>();

  constructor(directories: Directories) {
    super();
    directories.register(this);
  }

  /** The values of a person: the same object until one of them changes. */
  of(userId: number): ProfileData {
    return this.profiles.get(userId) ?? NOTHING_ENTERED;
  }

  async load(db: Queryable): Promise<void> {
    const rows = await db.query<Row>(
      'SELECT user_id, field_id, value, rendered_value FROM custom_profile_value',
    );
    this.profiles.clear();
    this.keep(rows);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await db.query<Row>(
      'SELECT user_id, field_id, value, rendered_value FROM custom_profile_value WHERE user_id IN (?)',
      [ids],
    );
    for (const id of ids) this.profiles.delete(id);
    this.keep(rows);
  }

  private keep(rows: readonly Row[]): void {
    for (const row of rows) {
      let profile = this.profiles.get(row.user_id);
      if (!profile) this.profiles.set(row.user_id, (profile = {}));
      profile[row.field_id] = {
        value: row.value,
        ...(row.rendered_value === null ? {} : { rendered_value: row.rendered_value }),
      };
    }
  }
}

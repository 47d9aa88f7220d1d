import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/database/queryable';

/** Finds the newest message that a person received; null when there is none. */
export type NewestMessageFinder = (db: Queryable, userId: number) => Promise<number | null>;

/** Where the feature that knows messages says how to find a person's newest one, for `GET /users/me`. */
@Injectable()
export class NewestMessageRegistry {
  private finder: NewestMessageFinder = () => Promise.resolve(null);

  use(finder: NewestMessageFinder): void {
    this.finder = finder;
  }

  newestFor(db: Queryable, userId: number): Promise<number | null> {
    return this.finder(db, userId);
  }
}

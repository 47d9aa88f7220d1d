import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/sql/queryable';
import { Directories, Directory } from '../../platform/events/directories';
import { CustomEmoji } from './custom-emoji.entity';

/** An emoji as the directory holds it. */
export type CustomEmojiRecord = Readonly<CustomEmoji>;

/** All emoji of the organization in memory, deactivated ones included. Touched by their IDs. */
@Injectable()
export class CustomEmojiDirectory extends Directory {
  readonly name = 'custom_emoji';

  private readonly emoji = new Map<number, CustomEmojiRecord>();
  private readonly idByName = new Map<string, number>();

  constructor(directories: Directories) {
    super();
    directories.register(this);
  }

  /** Ascending by ID. */
  all(): CustomEmojiRecord[] {
    return [...this.emoji.values()];
  }

  byId(id: number): CustomEmojiRecord | undefined {
    return this.emoji.get(id);
  }

  /** The one that has the name now; deactivated ones have given theirs back. */
  active(name: string): CustomEmojiRecord | undefined {
    const id = this.idByName.get(name);
    return id === undefined ? undefined : this.emoji.get(id);
  }

  async load(db: Queryable): Promise<void> {
    const rows = await db.repository(CustomEmoji).find({ order: { id: 'ASC' } });
    this.emoji.clear();
    this.keep(rows);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await db
      .repository(CustomEmoji)
      .createQueryBuilder('emoji')
      .where('emoji.id IN (:...ids)', { ids })
      .orderBy('emoji.id')
      .getMany();
    this.keep(rows);
  }

  private keep(rows: readonly CustomEmoji[]): void {
    for (const row of rows) this.emoji.set(row.id, { ...row });
    this.idByName.clear();
    for (const { id, name, isDeactivated } of this.emoji.values()) {
      if (!isDeactivated) this.idByName.set(name, id);
    }
  }
}

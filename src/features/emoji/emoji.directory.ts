import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/sql/queryable';
import { Directories, Directory } from '../../platform/events/directories';
import { CustomEmoji, type CustomEmojiRecord } from './custom-emoji.entity';
import { allNames, codeOf, EXTRA_EMOJI } from '../../platform/emoji/emoji';
import {
  CustomEmojiDeactivated,
  type EmojiReference,
  EmojiType,
  EmojiUnknown,
  InvalidCustomEmoji,
  InvalidCustomEmojiName,
  InvalidEmojiCode,
  InvalidEmojiName,
  InvalidEmojiType,
} from './emoji.api';

/** All custom emoji in memory, including deactivated ones. Touched by their IDs. */
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

  /** The active emoji with this name; deactivated ones no longer use theirs. */
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

/** Finds emoji of every kind: custom emoji, the extra one, and Unicode emoji. */
@Injectable()
export class EmojiLookupService {
  constructor(private readonly customEmoji: CustomEmojiDirectory) {}

  /** Custom emoji take precedence over Unicode emoji. @throws EmojiUnknown */
  byName(name: string): EmojiReference {
    const found = this.find(name);
    if (!found) throw new EmojiUnknown(name);
    return found;
  }

  /** Like `byName`; null if no emoji has the name. */
  find(name: string): EmojiReference | null {
    const custom = this.customEmoji.active(name);
    if (custom) return { name, code: String(custom.id), type: EmojiType.custom };
    if (name === EXTRA_EMOJI.name) return { name, code: name, type: EmojiType.extra };
    const code = codeOf(name);
    return code === undefined ? null : { name, code, type: EmojiType.unicode };
  }

  /**
   * Checks that the emoji exists, has this name, and can be used.
   * @throws InvalidEmojiType and the other errors of emoji.api.ts
   */
  check({ name, code, type }: EmojiReference): void {
    switch (type) {
      case EmojiType.custom:
        return this.checkCustom(name, code);
      case EmojiType.extra:
        if (code !== EXTRA_EMOJI.name) throw new InvalidEmojiCode();
        if (name !== code) throw new InvalidEmojiName();
        return;
      case EmojiType.unicode:
        if (allNames(code).length === 0) throw new InvalidEmojiCode();
        if (codeOf(name) !== code) throw new InvalidEmojiName();
        return;
      default:
        throw new InvalidEmojiType();
    }
  }

  private checkCustom(name: string, code: string): void {
    const emoji = /^[1-9]\d*$/.test(code) ? this.customEmoji.byId(Number(code)) : undefined;
    if (!emoji) throw new InvalidCustomEmoji();
    if (emoji.name !== name) throw new InvalidCustomEmojiName();
    if (emoji.isDeactivated) throw new CustomEmojiDeactivated();
  }
}

import { Injectable } from '@nestjs/common';
import { addTo } from '../../../platform/collections';
import type { Queryable } from '../../../platform/sql/queryable';
import { Directories, Directory } from '../../../platform/events/directories';
import { WordIndex } from './word-index';

interface Row {
  user_id: number;
  word: string;
}

const ALL_WORDS = 'SELECT user_id, word FROM alert_word';

/** Everybody's alert words in memory, so that sending a message reads no table. Touched by the IDs of their owners. */
@Injectable()
export class AlertWordDirectory extends Directory {
  readonly name = 'alert_words';

  private readonly words = new Map<number, string[]>();
  private index = new WordIndex();

  constructor(directories: Directories) {
    super();
    directories.register(this);
  }

  /** A person's words as they wrote them, in the order in which they were added. */
  wordsOf(userId: number): readonly string[] {
    return this.words.get(userId) ?? [];
  }

  /** Everybody who has a word that occurs in the text. */
  alertedBy(text: string): ReadonlySet<number> {
    return this.index.ownersIn(text);
  }

  async load(db: Queryable): Promise<void> {
    const rows = await db.query<Row>(`${ALL_WORDS} ORDER BY id`);
    this.words.clear();
    this.index = new WordIndex();
    this.keep(rows);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await db.query<Row>(`${ALL_WORDS} WHERE user_id IN (?) ORDER BY id`, [ids]);
    for (const userId of ids) {
      for (const word of this.wordsOf(userId)) this.index.remove(word, userId);
      this.words.delete(userId);
    }
    this.keep(rows);
  }

  private keep(rows: readonly Row[]): void {
    for (const { user_id: userId, word } of rows) {
      addTo(this.words, userId, word);
      this.index.add(word, userId);
    }
  }
}

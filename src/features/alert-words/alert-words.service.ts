import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { TransactionService, type Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { AlertWordDirectory } from './alert-word.directory';
import { TooManyAlertWords } from './alert-words.errors';
import { alertWordsChanged } from './alert-words.events';
import { wordKey } from './matching/word-index';

/** A person's words are all handed out with each change of them. */
const MAX_WORDS = 1_000;

/** Keeps the words of which people want to know when they are said. */
@Injectable()
export class AlertWordsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly words: AlertWordDirectory,
  ) {}

  list(actor: Actor): readonly string[] {
    return this.words.wordsOf(actor.userId);
  }

  /** Words that are there already, in whatever case, stay as they are. @returns all words @throws TooManyAlertWords */
  add(actor: Actor, words: readonly string[]): Promise<readonly string[]> {
    return this.transactions.runExclusive(async (tx) => {
      const before = this.list(actor);
      const added = newWords(words, before);
      const after = [...before, ...added];
      if (added.length > 0 && after.length > MAX_WORDS) throw new TooManyAlertWords(MAX_WORDS);
      for (const word of added) {
        await tx.query('INSERT INTO alert_word (user_id, word, word_key) VALUES (?, ?, ?)', [
          actor.userId,
          word,
          wordKey(word),
        ]);
      }
      if (added.length > 0) changed(tx, actor, after);
      return after;
    });
  }

  /** Words that are not there do not matter. @returns all words that are left */
  remove(actor: Actor, words: readonly string[]): Promise<readonly string[]> {
    return this.transactions.runExclusive(async (tx) => {
      const before = this.list(actor);
      const keys = new Set(words.map((word) => wordKey(word.trim())));
      const after = before.filter((word) => !keys.has(wordKey(word)));
      if (after.length === before.length) return before;
      await tx.query('DELETE FROM alert_word WHERE user_id = ? AND word_key IN (?)', [
        actor.userId,
        [...keys],
      ]);
      changed(tx, actor, after);
      return after;
    });
  }
}

/** Those that are no words yet, each once, without the white space around them. */
function newWords(words: readonly string[], known: readonly string[]): string[] {
  const keys = new Set(known.map(wordKey));
  return words
    .map((word) => word.trim())
    .filter((word) => {
      const key = wordKey(word);
      const isNew = word !== '' && !keys.has(key);
      keys.add(key);
      return isNew;
    });
}

function changed(tx: Transaction, { userId }: Actor, words: readonly string[]): void {
  tx.touch('alert_words', [userId]);
  tx.emit(alertWordsChanged({ alert_words: words }), Audience.of([userId]));
}

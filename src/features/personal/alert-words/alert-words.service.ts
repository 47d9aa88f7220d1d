import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { personalDataRemoved } from '../../users/users.module';
import { AlertWordDirectory, wordKey } from './alert-word.directory';
import { AlertWord } from '../personal.entity';
import { alertWordsChanged, TooManyAlertWords } from './alert-words.api';

/** Maximum number of words per person; all of them are sent with each change. */
const MAX_WORDS = 1_000;

/** Stores alert words: people are notified when a message contains one of theirs. */
@Injectable()
export class AlertWordsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly words: AlertWordDirectory,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('alert_words', (_, { reader }) => ({
        alert_words: reader ? words.wordsOf(reader.userId) : [],
      })),
    );
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(AlertWord).delete({ userId });
      tx.touch('alert_words', [userId]);
    });
  }

  list(actor: Actor): readonly string[] {
    return this.words.wordsOf(actor.userId);
  }

  /**
   * Adds words; those that exist, ignoring case, do not change. Emits all words after every request, even if none is
   * new.
   * @returns all words
   * @throws TooManyAlertWords
   */
  add(actor: Actor, words: readonly string[]): Promise<readonly string[]> {
    return this.transactions.runExclusive(async (tx) => {
      const before = this.list(actor);
      const added = newWords(words, before);
      const after = [...before, ...added];
      if (added.length > 0 && after.length > MAX_WORDS) throw new TooManyAlertWords(MAX_WORDS);
      const rows = added.map((word) => ({ userId: actor.userId, word, wordKey: wordKey(word) }));
      if (rows.length > 0) await tx.repository(AlertWord).insert(rows);
      emitWords(tx, actor, after);
      return after;
    });
  }

  /**
   * Removes words; unknown ones are ignored. Emits the remaining words after every request. @returns all remaining
   * words
   */
  remove(actor: Actor, words: readonly string[]): Promise<readonly string[]> {
    return this.transactions.runExclusive(async (tx) => {
      const before = this.list(actor);
      const keys = new Set(words.map((word) => wordKey(word.trim())));
      const after = before.filter((word) => !keys.has(wordKey(word)));
      if (after.length < before.length) {
        await tx.repository(AlertWord).delete({ userId: actor.userId, wordKey: In([...keys]) });
      }
      emitWords(tx, actor, after);
      return after;
    });
  }
}

/** New words, without duplicates and surrounding white space. */
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

function emitWords(tx: Transaction, { userId }: Actor, words: readonly string[]): void {
  tx.touch('alert_words', [userId]);
  tx.emit(alertWordsChanged({ alert_words: words }), Audience.of([userId]));
}

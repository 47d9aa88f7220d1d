import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { personalDataRemoved } from '../../users/users.module';
import { AlertWordDirectory } from './alert-word.directory';
import { AlertWord } from './alert-word.entity';
import { alertWordsChanged, TooManyAlertWords } from './alert-words.api';
import { wordKey } from './word-index';

/** All words of a person are sent with each change of them. */
const MAX_WORDS = 1_000;

/** Stores the words whose owners want to know when they are said. */
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

  /** Words that exist already, in any case, stay as they are. @returns all words @throws TooManyAlertWords */
  add(actor: Actor, words: readonly string[]): Promise<readonly string[]> {
    return this.transactions.runExclusive(async (tx) => {
      const before = this.list(actor);
      const added = newWords(words, before);
      const after = [...before, ...added];
      if (added.length > 0 && after.length > MAX_WORDS) throw new TooManyAlertWords(MAX_WORDS);
      if (added.length === 0) return after;
      const rows = added.map((word) => ({ userId: actor.userId, word, wordKey: wordKey(word) }));
      await tx.repository(AlertWord).insert(rows);
      changed(tx, actor, after);
      return after;
    });
  }

  /** Unknown words are ignored. @returns all remaining words */
  remove(actor: Actor, words: readonly string[]): Promise<readonly string[]> {
    return this.transactions.runExclusive(async (tx) => {
      const before = this.list(actor);
      const keys = new Set(words.map((word) => wordKey(word.trim())));
      const after = before.filter((word) => !keys.has(wordKey(word)));
      if (after.length === before.length) return before;
      await tx.repository(AlertWord).delete({ userId: actor.userId, wordKey: In([...keys]) });
      changed(tx, actor, after);
      return after;
    });
  }
}

/** Those that are new, each once, without surrounding white space. */
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

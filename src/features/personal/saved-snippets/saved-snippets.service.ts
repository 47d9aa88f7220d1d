import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ReadRepository } from '../../../platform/database/read-source';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { contentErased, OwnTransactions, personalDataRemoved } from '../../users/users.module';
import { SavedSnippet } from '../personal.entity';
import {
  savedSnippetAdded,
  SavedSnippetNotFound,
  savedSnippetRemoved,
  savedSnippetUpdated,
  savedSnippetWire,
  type SavedSnippetWire,
  TooManySavedSnippets,
} from './saved-snippets.api';

/** Maximum number of snippets per person; all of them are part of the initial state. */
const MAX_SNIPPETS = 500;

type Owner = Pick<Actor, 'userId'>;
type Text = Pick<SavedSnippet, 'title' | 'content'>;

/** Stores text snippets that people's clients offer while writing. */
@Injectable()
export class SavedSnippetsService {
  constructor(
    @InjectRepository(SavedSnippet) private readonly snippets: ReadRepository<SavedSnippet>,
    private readonly transactions: OwnTransactions,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('saved_snippets', async (db, { reader }) => ({
        saved_snippets: reader ? await snippetsOf(db.repository(SavedSnippet), reader) : [],
      })),
    );
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(SavedSnippet).delete({ userId });
    });
    hooks.on(contentErased, async (tx, userId) => {
      const { affected } = await tx.repository(SavedSnippet).delete({ userId });
      return { saved_snippets: affected ?? 0 };
    });
  }

  /** In the order of creation. */
  list(actor: Actor): Promise<SavedSnippetWire[]> {
    return snippetsOf(this.snippets, actor);
  }

  /** @returns the ID of the new snippet @throws TooManySavedSnippets */
  add(actor: Actor, { title, content }: Text): Promise<number> {
    return this.transactions.run(actor, async (tx) => {
      const { userId } = actor;
      const snippets = tx.repository(SavedSnippet);
      if ((await snippets.countBy({ userId })) >= MAX_SNIPPETS) throw new TooManySavedSnippets(MAX_SNIPPETS);
      const createdAt = this.clock.nowSeconds();
      const snippet = await snippets.save({ userId, title, content, createdAt });
      tx.emit(savedSnippetAdded({ saved_snippet: savedSnippetWire(snippet) }), Audience.of([userId]));
      return snippet.id;
    });
  }

  /** Clients expect an edit that changes nothing to succeed, for any ID. @throws SavedSnippetNotFound */
  async edit(actor: Actor, id: number, { title, content }: Partial<Text>): Promise<void> {
    if (title === undefined && content === undefined) return;
    await this.transactions.run(actor, async (tx) => {
      const snippet = await own(tx, actor, id);
      snippet.title = title ?? snippet.title;
      snippet.content = content ?? snippet.content;
      await tx.repository(SavedSnippet).save(snippet);
      const saved_snippet = savedSnippetWire(snippet);
      tx.emit(savedSnippetUpdated({ saved_snippet }), Audience.of([actor.userId]));
    });
  }

  /** @throws SavedSnippetNotFound */
  remove(actor: Actor, id: number): Promise<void> {
    return this.transactions.run(actor, async (tx) => {
      await own(tx, actor, id);
      await tx.repository(SavedSnippet).delete({ id });
      tx.emit(savedSnippetRemoved({ saved_snippet_id: id }), Audience.of([actor.userId]));
    });
  }
}

async function snippetsOf(
  snippets: ReadRepository<SavedSnippet>,
  { userId }: Owner,
): Promise<SavedSnippetWire[]> {
  const rows = await snippets.find({ where: { userId }, order: { id: 'ASC' } });
  return rows.map(savedSnippetWire);
}

async function own(tx: Transaction, { userId }: Owner, id: number): Promise<SavedSnippet> {
  const snippet = await tx.repository(SavedSnippet).findOneBy({ id, userId });
  if (!snippet) throw new SavedSnippetNotFound();
  return snippet;
}

import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Queryable } from '../../../platform/database/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { AccountDirectory, ActorTransactions } from '../../users';
import { Playground } from './playground.entity';
import {
  InvalidPlayground,
  PlaygroundExists,
  PlaygroundNotFound,
  TooManyPlaygrounds,
} from './playgrounds.errors';
import { playgroundsChanged } from './playgrounds.events';
import { playgroundList } from './playgrounds.wire';
import { playgroundProblem, type PlaygroundDraft } from './playground-checks';

const MAX_PLAYGROUNDS = 500;

/** Sites where clients offer to try code. Administrators write them. */
@Injectable()
export class PlaygroundsService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly accounts: AccountDirectory,
  ) {}

  /** In the order in which they came. */
  all(db: Queryable): Promise<Playground[]> {
    return db.repository(Playground).find({ order: { id: 'ASC' } });
  }

  /** @returns its ID. @throws InvalidPlayground, TooManyPlaygrounds, PlaygroundExists */
  async add(actor: Actor, playground: PlaygroundDraft): Promise<number> {
    const problem = playgroundProblem(playground);
    if (problem !== null) throw new InvalidPlayground(problem);
    const { name, language } = playground;
    return this.transactions.runForAdministrator(actor, async (tx) => {
      const others = await this.all(tx);
      if (others.length >= MAX_PLAYGROUNDS) throw new TooManyPlaygrounds(MAX_PLAYGROUNDS);
      if (others.some((other) => other.name === name && other.language === language)) {
        throw new PlaygroundExists();
      }
      const { id } = await tx.repository(Playground).save({ ...playground });
      await this.tell(tx);
      return id;
    });
  }

  /** @throws PlaygroundNotFound */
  async remove(actor: Actor, id: number): Promise<void> {
    await this.transactions.runForAdministrator(actor, async (tx) => {
      const { affected } = await tx.repository(Playground).delete({ id });
      if (!affected) throw new PlaygroundNotFound();
      await this.tell(tx);
    });
  }

  private async tell(tx: Transaction): Promise<void> {
    tx.emit(playgroundsChanged(playgroundList(await this.all(tx))), this.accounts.active);
  }
}

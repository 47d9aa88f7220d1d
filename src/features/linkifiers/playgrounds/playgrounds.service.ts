import {
  type PlaygroundDraft,
  InvalidPlayground,
  PlaygroundExists,
  playgroundList,
  PlaygroundNotFound,
  playgroundsChanged,
  TooManyPlaygrounds,
} from './playgrounds.api';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { AuditLog } from '../../audit/audit.module';
import { AccountDirectory, ActorTransactions } from '../../users/users.module';
import { Playground } from './playground.entity';
import { playgroundRemoved } from '../linkifiers.hooks';
import { BLANK, INVALID_URL_TEMPLATE, UNSAFE_URL_TEMPLATE } from '../linkifier-checks';
import { UrlTemplate } from '../patterns/url-template';

const MAX_PLAYGROUNDS = 500;

/** Any name of a language that code blocks can have, known or not. */
const LANGUAGE = /^[ a-zA-Z0-9_+\-./#]*$/;

/** The variable that stands for the code. */
const CODE = 'code';

/** Sites where clients offer to try code. Administrators write them. */
@Injectable()
export class PlaygroundsService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly accounts: AccountDirectory,
    private readonly audit: AuditLog,
    private readonly hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('realm_playgrounds', async (db) => playgroundList(await this.all(db))),
    );
  }

  /** In the order in which they came. */
  all(db: Queryable): Promise<Playground[]> {
    return db.repository(Playground).find({ order: { id: 'ASC' } });
  }

  /** @returns its ID. @throws InvalidPlayground, TooManyPlaygrounds, PlaygroundExists */
  async add(actor: Actor, playground: PlaygroundDraft): Promise<number> {
    const problem = playgroundProblem(playground);
    if (problem !== null) throw new InvalidPlayground(problem);
    const { name, language } = playground;
    return this.transactions.runForAdministrator(actor, async (tx, current) => {
      const others = await this.all(tx);
      if (others.length >= MAX_PLAYGROUNDS) throw new TooManyPlaygrounds(MAX_PLAYGROUNDS);
      if (others.some((other) => other.name === name && other.language === language)) {
        throw new PlaygroundExists();
      }
      const { id } = await tx.repository(Playground).save({ ...playground });
      const details = { name, language, url_template: playground.urlTemplate };
      this.audit.record(tx, current, 'playground.created', { id }, details);
      await this.tell(tx);
      return id;
    });
  }

  /** @throws PlaygroundNotFound */
  async remove(actor: Actor, id: number): Promise<void> {
    await this.transactions.runForAdministrator(actor, async (tx, current) => {
      const playground = await tx.repository(Playground).findOneBy({ id });
      if (!playground) throw new PlaygroundNotFound();
      await tx.repository(Playground).delete({ id });
      this.audit.record(tx, current, 'playground.deleted', { id }, { name: playground.name });
      await this.hooks.run(playgroundRemoved, tx, playground.language);
      await this.tell(tx);
    });
  }

  private async tell(tx: Transaction): Promise<void> {
    tx.emit(playgroundsChanged(playgroundList(await this.all(tx))), this.accounts.active);
  }
}

/** The first thing that is wrong with a playground by itself; null where nothing is. */
function playgroundProblem({ name, language, urlTemplate }: PlaygroundDraft): string | null {
  if (!LANGUAGE.test(language)) return 'Invalid characters in pygments language';
  if ([urlTemplate, name, language].includes('')) return BLANK;
  const template = UrlTemplate.parse(urlTemplate);
  if (!template) return INVALID_URL_TEMPLATE;
  if (!template.variables.has(CODE)) return 'Missing the required variable "code" in the URL template';
  if (!template.isSafe) return UNSAFE_URL_TEMPLATE;
  if (template.variables.size > 1) return '"code" should be the only variable present in the URL template';
  return null;
}

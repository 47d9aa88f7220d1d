import {
  type PlaygroundDraft,
  InvalidPlayground,
  InvalidPlaygroundLanguage,
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
import { Playground } from '../linkifier.entity';
import { playgroundRemoved } from '../linkifiers.hooks';
import { BLANK, INVALID_URL_TEMPLATE, SEVERAL_FIELDS, UNSAFE_URL_TEMPLATE } from '../linkifier-checks';
import { UrlTemplate } from '../patterns/url-template';

const MAX_PLAYGROUNDS = 500;

/** Any language name that code blocks can have, known or not. */
const LANGUAGE = /^[ a-zA-Z0-9_+\-./#]*$/;

/** The variable for the code. */
const CODE = 'code';

/** Sites where clients offer to run code. Callers are administrators. */
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

  /** In the order of creation. */
  all(db: Queryable): Promise<Playground[]> {
    return db.repository(Playground).find({ order: { id: 'ASC' } });
  }

  /** @returns its ID. @throws InvalidPlaygroundLanguage, InvalidPlayground, TooManyPlaygrounds, PlaygroundExists */
  async add(actor: Actor, playground: PlaygroundDraft): Promise<number> {
    if (!LANGUAGE.test(playground.language)) throw new InvalidPlaygroundLanguage();
    const problems = playgroundProblems(playground);
    if (Object.keys(problems).length > 0) throw new InvalidPlayground(problems);
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

/** The problems of a playground by itself, by field. */
function playgroundProblems({ name, language, urlTemplate }: PlaygroundDraft): Record<string, string[]> {
  const fields = { url_template: urlTemplate, name, pygments_language: language };
  const blank = Object.entries(fields).filter(([, value]) => value === '');
  const problems = Object.fromEntries(blank.map(([field]) => [field, [BLANK]]));
  const template = UrlTemplate.parse(urlTemplate);
  if (!template) return { ...problems, url_template: [INVALID_URL_TEMPLATE] };
  const { variables } = template;
  if (!variables.has(CODE))
    return { ...problems, [SEVERAL_FIELDS]: ['Missing the required variable "code" in the URL template'] };
  if (!template.isSafe) return { ...problems, url_template: [UNSAFE_URL_TEMPLATE] };
  if (variables.size > 1)
    return {
      ...problems,
      [SEVERAL_FIELDS]: ['"code" should be the only variable present in the URL template'],
    };
  return problems;
}

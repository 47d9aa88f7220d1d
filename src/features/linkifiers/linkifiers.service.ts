import {
  type LinkifierChanges,
  InvalidLinkifier,
  LinkifierNamedTwice,
  LinkifierNotFound,
  LinkifierOrderIncomplete,
  LinkifierPatternsTooLarge,
  linkifiersChanged,
  linkifierState,
  linkifierWire,
  type LinkifierWire,
  olderFilterState,
  TooManyLinkifiers,
} from './linkifiers.api';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { initialState, stateFor } from '../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../platform/hooks/hooks';
import type { Transaction } from '../../platform/database/transaction.service';
import { AuditLog, differences } from '../audit/audit.module';
import { linkifiersPort } from '../messages/messages.module';
import { AccountDirectory, ActorTransactions } from '../users/users.module';
import { LinkifierDirectory, type LinkifierRecord } from './linkifier.directory';
import { Linkifier } from './linkifier.entity';
import {
  checkLinkifier,
  compilePattern,
  type LinkifierDraft,
  type PatternOutcome,
  SEVERAL_FIELDS,
} from './linkifier-checks';

const MAX_LINKIFIERS = 500;

/** The capability of clients that support URL templates; others receive no linkifiers. */
const URL_TEMPLATES = 'linkifier_url_template';
/** Maximum total size of all patterns, in instructions: five hundred patterns of forty. */
const MAX_SIZE_TOGETHER = 20_000;

const EMPTY = { exampleInput: null, reverseTemplate: null, alternativeUrlTemplates: [] };

/**
 * The organization's linkifiers: everyone may read them, administrators may change them. Messages that were rendered
 * before a change keep their links.
 */
@Injectable()
export class LinkifiersService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly directory: LinkifierDirectory,
    private readonly accounts: AccountDirectory,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    hooks.provide(linkifiersPort, directory);
    hooks.on(
      initialState,
      stateFor('realm_linkifiers', (_db, { capabilities }) =>
        linkifierState(capabilities.has(URL_TEMPLATES) ? this.list() : []),
      ),
    );
    hooks.on(initialState, stateFor('realm_filters', olderFilterState));
  }

  /** In the order of precedence. */
  list(): LinkifierWire[] {
    return this.directory.all().map(linkifierWire);
  }

  /**
   * Adds a linkifier with the lowest precedence.
   * @returns its ID
   * @throws TooManyLinkifiers, InvalidLinkifier, ExampleInputMissing, LinkifierPatternsTooLarge
   */
  async add(actor: Actor, linkifier: LinkifierChanges): Promise<number> {
    const pattern = compilePattern(linkifier.pattern);
    return this.transactions.runForAdministrator(actor, async (tx, current) => {
      const others = this.directory.all();
      if (others.length >= MAX_LINKIFIERS) throw new TooManyLinkifiers(MAX_LINKIFIERS);
      const draft = merge(EMPTY, linkifier);
      this.check(draft, pattern, null);
      const position = (others.at(-1)?.position ?? 0) + 1;
      const { id } = await tx.repository(Linkifier).save({ ...columnsOf(draft), position });
      this.audit.record(tx, current, 'linkifier.created', { id }, audited(draft));
      this.changed(tx, [id], [...others, { ...draft, id, position }]);
      return id;
    });
  }

  /** @throws LinkifierNotFound, InvalidLinkifier, ExampleInputMissing, LinkifierPatternsTooLarge */
  async update(actor: Actor, id: number, changes: LinkifierChanges): Promise<void> {
    const pattern = compilePattern(changes.pattern);
    await this.transactions.runForAdministrator(actor, async (tx, current) => {
      const before = this.existing(id);
      const draft = merge(before, changes);
      this.check(draft, pattern, id);
      await tx.repository(Linkifier).update({ id }, columnsOf(draft));
      const changed = differences(audited(before), audited(draft)) ?? {};
      this.audit.record(tx, current, 'linkifier.changed', { id }, changed);
      const after = this.directory.all().map((each) => (each === before ? { ...before, ...draft } : each));
      this.changed(tx, [id], after);
    });
  }

  /** @throws LinkifierNotFound */
  async remove(actor: Actor, id: number): Promise<void> {
    await this.transactions.runForAdministrator(actor, async (tx, current) => {
      const gone = this.existing(id);
      await tx.repository(Linkifier).delete({ id });
      this.audit.record(tx, current, 'linkifier.deleted', { id }, audited(gone));
      this.changed(
        tx,
        [id],
        this.directory.all().filter((each) => each !== gone),
      );
    });
  }

  /** @param order IDs of all linkifiers, in their new order. @throws LinkifierNamedTwice, LinkifierOrderIncomplete */
  async reorder(actor: Actor, order: readonly number[]): Promise<void> {
    const named = new Set(order);
    if (named.size < order.length) throw new LinkifierNamedTwice();
    await this.transactions.runForAdministrator(actor, async (tx, current) => {
      const before = this.directory.all();
      if (before.length !== named.size || !before.every(({ id }) => named.has(id))) {
        throw new LinkifierOrderIncomplete();
      }
      if (order.length === 0) return;
      const after = order.map((id, at) => ({ ...this.existing(id), position: at + 1 }));
      const moved = after.filter(({ id, position }) => this.existing(id).position !== position);
      for (const { id, position } of moved) await tx.repository(Linkifier).update({ id }, { position });
      this.audit.record(tx, current, 'linkifier.reordered', {}, { order });
      this.changed(
        tx,
        moved.map(({ id }) => id),
        after,
      );
    });
  }

  private existing(id: number): LinkifierRecord {
    const linkifier = this.directory.byId(id);
    if (!linkifier) throw new LinkifierNotFound();
    return linkifier;
  }

  /** @param id null for a new one */
  private check(draft: LinkifierDraft, pattern: PatternOutcome, id: number | null): void {
    const problems = checkLinkifier(draft, pattern);
    if (this.directory.all().some((each) => each.pattern === draft.pattern && each.id !== id)) {
      problems.add(SEVERAL_FIELDS, 'Realm filter with this Realm and Pattern already exists.');
    }
    if (problems.areAny || pattern instanceof Error) throw new InvalidLinkifier(problems.byField());
    if (this.directory.sizeWithout(id) + pattern.size > MAX_SIZE_TOGETHER) {
      throw new LinkifierPatternsTooLarge();
    }
  }

  private changed(tx: Transaction, ids: readonly number[], all: readonly LinkifierRecord[]): void {
    if (ids.length > 0) tx.touch('linkifiers', ids);
    tx.emit(linkifiersChanged(all.map(linkifierWire)), this.accounts.active, {
      requires: URL_TEMPLATES,
    });
  }
}

function merge(
  before: Omit<LinkifierDraft, 'pattern' | 'urlTemplate'>,
  changes: LinkifierChanges,
): LinkifierDraft {
  const { pattern, urlTemplate, exampleInput, reverseTemplate, alternativeUrlTemplates } = changes;
  return {
    pattern,
    urlTemplate,
    exampleInput: exampleInput === undefined ? before.exampleInput : exampleInput,
    reverseTemplate: reverseTemplate === undefined ? before.reverseTemplate : reverseTemplate,
    alternativeUrlTemplates: alternativeUrlTemplates ?? before.alternativeUrlTemplates,
  };
}

function audited({ pattern, urlTemplate, alternativeUrlTemplates }: LinkifierDraft) {
  return { pattern, url_template: urlTemplate, alternative_url_templates: alternativeUrlTemplates };
}

function columnsOf(draft: LinkifierDraft): Omit<Linkifier, 'id' | 'position'> {
  return { ...draft, alternativeUrlTemplates: JSON.stringify(draft.alternativeUrlTemplates) };
}

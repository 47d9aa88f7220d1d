import { Injectable, Logger } from '@nestjs/common';
import type { Queryable } from '../../platform/sql/queryable';
import { Directories, Directory } from '../../platform/events/directories';
import type { LinkFinder } from '../messages/messages.module';
import { Linkifier } from './linkifier.entity';
import { CompiledLinkifier, LinkifierPattern, LinkifierSet } from './patterns/linkifier-pattern';
import type { LinkifierDraft } from './linkifier-checks';
import { UrlTemplate } from './patterns/url-template';

/** A linkifier in the directory. */
export interface LinkifierRecord extends LinkifierDraft {
  readonly id: number;
  readonly position: number;
}

interface Entry {
  readonly record: LinkifierRecord;
  /** Null if the row is invalid. */
  readonly compiled: CompiledLinkifier | null;
}

/** All linkifiers of the organization in memory, compiled. Touched by their IDs. */
@Injectable()
export class LinkifierDirectory extends Directory {
  readonly name = 'linkifiers';

  private readonly logger = new Logger('Linkifiers');
  private entries = new Map<number, Entry>();
  /** In the order of precedence. */
  private ordered: readonly Entry[] = [];
  /** Built at the first search after a change. */
  private set: LinkifierSet | undefined;

  constructor(directories: Directories) {
    super();
    directories.register(this);
  }

  /** In the order of precedence. */
  all(): LinkifierRecord[] {
    return this.ordered.map(({ record }) => record);
  }

  byId(id: number): LinkifierRecord | undefined {
    return this.entries.get(id)?.record;
  }

  /** Total size of all patterns except one, in instructions. */
  sizeWithout(id: number | null): number {
    const others = this.ordered.filter(({ record }) => record.id !== id);
    return others.reduce((sum, { compiled }) => sum + (compiled?.pattern.size ?? 0), 0);
  }

  /** Linkifiers that may match the text, in the order of precedence. */
  within(text: string): readonly LinkFinder[] {
    if (this.ordered.length === 0) return [];
    this.set ??= new LinkifierSet(this.ordered.flatMap(({ compiled }) => compiled ?? []));
    return this.set.within(text);
  }

  async load(db: Queryable): Promise<void> {
    const rows = await db.repository(Linkifier).find();
    this.keep(new Map(rows.map((row) => [row.id, this.entry(row)])));
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await db
      .repository(Linkifier)
      .createQueryBuilder('linkifier')
      .where('linkifier.id IN (:...ids)', { ids })
      .getMany();
    const entries = new Map(this.entries);
    for (const id of ids) entries.delete(id);
    for (const row of rows) entries.set(row.id, this.entry(row));
    this.keep(entries);
  }

  private keep(entries: Map<number, Entry>): void {
    this.entries = entries;
    this.ordered = [...entries.values()].sort(
      ({ record: a }, { record: b }) => a.position - b.position || a.id - b.id,
    );
    this.set = undefined;
  }

  private entry(row: Linkifier): Entry {
    const record: LinkifierRecord = {
      ...row,
      alternativeUrlTemplates: JSON.parse(row.alternativeUrlTemplates) as string[],
    };
    const before = this.entries.get(row.id);
    const isSame =
      before?.record.pattern === record.pattern && before.record.urlTemplate === record.urlTemplate;
    return { record, compiled: isSame ? before.compiled : this.compile(record) };
  }

  /** A row that a later version of the engine refuses must not prevent messages from being rendered. */
  private compile({ id, pattern, urlTemplate }: LinkifierRecord): CompiledLinkifier | null {
    try {
      const template = UrlTemplate.parse(urlTemplate);
      if (!template) throw new Error(`'${urlTemplate}' is not a URL template.`);
      return new CompiledLinkifier(id, LinkifierPattern.compile(pattern), template);
    } catch (error) {
      this.logger.error(`Ignoring linkifier ${id}: ${String(error)}`);
      return null;
    }
  }
}

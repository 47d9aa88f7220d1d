import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/database/queryable';

/** How records are shown. */
export interface ContributorView {
  /** What the reader is shown of the name of a topic. */
  readonly shownTopic: (topic: string) => string;
}

/** Adds fields to message records, for features above messages such as reactions. */
export interface MessageContributor {
  /** The fields of each record where they say nothing, as in that of a new message. */
  readonly initial: Readonly<Record<string, unknown>>;

  /**
   * @param messageIds of messages that the reader may see
   * @returns the fields of those messages that have something to say
   */
  contribute(
    db: Queryable,
    messageIds: readonly number[],
    view: ContributorView,
  ): Promise<Map<number, object>>;
}

/** Where features that add fields to message records register themselves. */
@Injectable()
export class MessageContributorRegistry {
  private readonly contributors: MessageContributor[] = [];

  register(contributor: MessageContributor): void {
    this.contributors.push(contributor);
  }

  /** What the record of a new message gets. */
  initial(): Record<string, unknown> {
    return Object.assign({}, ...this.contributors.map((contributor) => contributor.initial)) as Record<
      string,
      unknown
    >;
  }

  /** What each record gets, for every message asked for. */
  async contributions(
    db: Queryable,
    messageIds: readonly number[],
    view: ContributorView,
  ): Promise<Map<number, Record<string, unknown>>> {
    const fields = new Map(messageIds.map((id) => [id, this.initial()]));
    for (const contributor of this.contributors) {
      for (const [id, own] of await contributor.contribute(db, messageIds, view)) {
        Object.assign(fields.get(id) ?? {}, own);
      }
    }
    return fields;
  }
}

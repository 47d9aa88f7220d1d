import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/database/queryable';
import type { Viewer } from '../records/user-record.wire';

/** One kind of conversation that people can share, such as channels or direct messages. */
export interface ConversationSource {
  /** Everybody who shares a conversation of this kind with the person. Sharing goes both ways. */
  partnersOf(db: Queryable, userId: number): Promise<Iterable<number>>;
}

/** Which guests see everybody, and whether people without an account do: they are null. */
export type AccessToAll = (viewer: Viewer | null) => boolean;

/**
 * What features above this one know about who may see whom. They register themselves in their
 * constructors.
 */
@Injectable()
export class UserVisibilityRegistry {
  private readonly sources: ConversationSource[] = [];
  private accessToAll: AccessToAll = () => false;

  addConversations(source: ConversationSource): void {
    this.sources.push(source);
  }

  /** Until there is a rule, nobody sees everybody of whom that has to be asked. */
  setAccessToAll(rule: AccessToAll): void {
    this.accessToAll = rule;
  }

  mayAccessAll(viewer: Viewer | null): boolean {
    return this.accessToAll(viewer);
  }

  /** Everybody who shares a conversation of any kind with the person. */
  async partnersOf(db: Queryable, userId: number): Promise<Set<number>> {
    const partners = new Set<number>();
    for (const source of this.sources) {
      for (const partner of await source.partnersOf(db, userId)) partners.add(partner);
    }
    return partners;
  }
}

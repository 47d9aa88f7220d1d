import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';
import { type MessageContributor, MessageContributorRegistry } from '../messages';
import { ReactionRowsService } from './reaction-rows.service';
import { reactionWire, type ReactionWire } from './reactions.wire';

/** Adds `reactions` to the records of messages. */
@Injectable()
export class ReactionRecordsService implements MessageContributor {
  readonly initial = { reactions: [] };

  constructor(
    private readonly rows: ReactionRowsService,
    contributors: MessageContributorRegistry,
  ) {
    contributors.register(this);
  }

  /** One query, however many messages there are. */
  async contribute(
    db: Queryable,
    messageIds: readonly number[],
  ): Promise<Map<number, { reactions: readonly ReactionWire[] }>> {
    const fields = new Map<number, { reactions: ReactionWire[] }>();
    for (const { messageId, userId, emoji } of await this.rows.list(db, messageIds)) {
      const wire = reactionWire(emoji, userId);
      const known = fields.get(messageId);
      if (known) known.reactions.push(wire);
      else fields.set(messageId, { reactions: [wire] });
    }
    return fields;
  }
}

import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { Directories, Directory } from '../../../platform/events/directories';

interface Row {
  id: number;
  topic_id: number;
}

const ALL = 'SELECT id, topic_id FROM messaging_conversation';

/**
 * In-memory index of the topics of outside senders, so that sending a message needs no query. Touched with the IDs of
 * conversations.
 */
@Injectable()
export class ConversationDirectory extends Directory {
  readonly name = 'messaging_conversations';

  /** Conversation IDs by topic ID. */
  readonly idByTopic: ReadonlyMap<number, number>;

  private readonly idsByTopic = new Map<number, number>();
  private readonly topicById = new Map<number, number>();

  constructor(directories: Directories) {
    super();
    this.idByTopic = this.idsByTopic;
    directories.register(this);
  }

  async load(db: Queryable): Promise<void> {
    const rows = await db.query<Row>(ALL);
    this.idsByTopic.clear();
    this.topicById.clear();
    this.keep(rows);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await db.query<Row>(`${ALL} WHERE id IN (?)`, [ids]);
    for (const id of ids) this.forget(id);
    this.keep(rows);
  }

  private keep(rows: readonly Row[]): void {
    for (const { id, topic_id: topicId } of rows) {
      this.idsByTopic.set(topicId, id);
      this.topicById.set(id, topicId);
    }
  }

  private forget(id: number): void {
    const topicId = this.topicById.get(id);
    if (topicId !== undefined) this.idsByTopic.delete(topicId);
    this.topicById.delete(id);
  }
}

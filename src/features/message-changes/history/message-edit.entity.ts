import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * What one edit of a message changed: its content, its topic, its channel, or several of them; null for unchanged
 * parts. Later edits have higher IDs. References are not checked by the database: when a topic of a hundred thousand
 * messages moves, that would be two thirds of the work.
 */
@Entity('message_edit')
@Index('ix_message_edit_message_id', ['messageId'])
export class MessageEdit {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('integer', { name: 'message_id' })
  messageId!: number;

  /** The person who made the edit. */
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** UNIX seconds. */
  @Column('bigint', { name: 'edited_at' })
  editedAt!: number;

  @Column('text', { name: 'prev_content', nullable: true })
  prevContent!: string | null;

  @Column('text', { name: 'prev_rendered_content', nullable: true })
  prevRenderedContent!: string | null;

  /** '' for the empty topic, like `topic`. */
  @Column('text', { name: 'prev_topic', nullable: true })
  prevTopic!: string | null;

  @Column('text', { nullable: true })
  topic!: string | null;

  @Column('integer', { name: 'prev_channel_id', nullable: true })
  prevChannelId!: number | null;

  @Column('integer', { name: 'channel_id', nullable: true })
  channelId!: number | null;
}

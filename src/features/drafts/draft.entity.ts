import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../users/users.module';
import { Channel } from '../channels/channels.module';

/** An unsent message. */
@Entity('draft')
@Index('ix_draft_user_id_edited_at', ['userId', 'editedAt'])
export class Draft {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** Null for direct messages, or without a destination. */
  @ForeignKey(() => Channel)
  @Column('integer', { name: 'channel_id', nullable: true })
  channelId!: number | null;

  /**
   * JSON: IDs of the people it goes to, without the owner unless they are alone; empty for a channel. It is no
   * conversation yet: through one, people come to see each other.
   */
  @Column('text', { name: 'recipient_ids' })
  recipientIds!: string;

  /** Empty for people. */
  @Column('text')
  topic!: string;

  /** Markdown. */
  @Column('text')
  content!: string;

  /** As the client puts it. UNIX milliseconds. */
  @Column('bigint', { name: 'edited_at' })
  editedAt!: number;
}

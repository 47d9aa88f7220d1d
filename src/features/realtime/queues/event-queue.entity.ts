import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** A queue from which a client fetches events: a place in the log, and what the client wants of it. */
@Entity('event_queue')
@Index('ix_event_queue_user_id', ['userId'])
export class EventQueue {
  /** The random ID that clients use. */
  @PrimaryColumn('text')
  id!: string;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** What the client asked for when it registered: QueueOptions as JSON. */
  @Column('text')
  options!: string;

  /** Its events are those of the log after this number. */
  @Column('bigint', { name: 'start_number' })
  startNumber!: number;

  /** How long its client may stay away. */
  @Column('integer', { name: 'idle_timeout_seconds' })
  idleTimeoutSeconds!: number;

  /** UNIX milliseconds. Written once a minute for all queues that were polled, so it may lag a little. */
  @Column('bigint', { name: 'last_seen_at' })
  lastSeenAt!: number;
}

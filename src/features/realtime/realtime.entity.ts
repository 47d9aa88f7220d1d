import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../users/users.module';

/** The message created by a client's request, so that repeating the request does not send it again. */
@Entity('sent_echo')
@Index('ix_sent_echo_user_id_request_key', ['userId', 'requestKey'], { unique: true })
export class SentEcho {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** SHA-256 of queue and local ID, in hexadecimal, because both may be of any length. */
  @Column('text', { name: 'request_key' })
  requestKey!: string;

  @Column('integer', { name: 'message_id' })
  messageId!: number;

  /** The sender's new policy for the topic; null if it did not change. */
  @Column('integer', { name: 'topic_policy', nullable: true })
  topicPolicy!: number | null;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}

/** A queue from which a client fetches events: a position in the log, and the client's options. */
@Entity('event_queue')
@Index('ix_event_queue_user_id', ['userId'])
export class EventQueue {
  /** The random ID that clients use. */
  @PrimaryColumn('text')
  id!: string;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** The client's options: QueueOptions as JSON. */
  @Column('text')
  options!: string;

  /** Its events are those in the log after this number. */
  @Column('bigint', { name: 'start_number' })
  startNumber!: number;

  /** How long its client may stay away. */
  @Column('integer', { name: 'idle_timeout_seconds' })
  idleTimeoutSeconds!: number;

  /** UNIX milliseconds. Written once a minute for all polled queues, so it lags slightly. */
  @Column('bigint', { name: 'last_seen_at' })
  lastSeenAt!: number;
}

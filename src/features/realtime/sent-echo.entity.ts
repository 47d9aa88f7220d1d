import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../users/users.module';

/** The message that a client's request to send became, so that repeating the request does not send it again. */
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

  /** The policy that the sender got for the topic by sending; null if it stayed as it was. */
  @Column('integer', { name: 'topic_policy', nullable: true })
  topicPolicy!: number | null;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}

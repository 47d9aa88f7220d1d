import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'parley/module';

/** A question that people answer by reacting to a message. */
@Entity('module_polls_poll')
@Index('ix_module_polls_poll_message_id', ['messageId'], { unique: true })
export class Poll {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('integer', { name: 'message_id' })
  messageId!: number;

  @Column('integer', { name: 'creator_id' })
  creatorId!: number;

  @Column('text')
  question!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'closes_at' })
  closesAt!: number;

  @Column('boolean', { name: 'is_closed' })
  isClosed!: boolean;
}

/** One answer to a poll. */
@Entity('module_polls_option')
export class PollOption {
  @PrimaryColumn('integer', { name: 'poll_id' })
  pollId!: number;

  @PrimaryColumn('integer')
  position!: number;

  /** Name of the emoji that stands for it. */
  @Column('text')
  emoji!: string;

  @Column('text')
  text!: string;

  /** How many had chosen it when the poll was closed; null before. */
  @Column('integer', { nullable: true })
  votes!: number | null;
}

import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** What follows from a change and is not done yet. */
@Entity('unfinished_work')
@Index('ix_unfinished_work_due_at', ['dueAt'])
export class UnfinishedWork {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text')
  kind!: string;

  /** What whoever does it has to know, as JSON. */
  @Column('text')
  data!: string;

  /** UNIX milliseconds from when on another node may take it up: whoever had it in hand is gone. */
  @Column('bigint', { name: 'due_at' })
  dueAt!: number;
}

import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** A word or phrase; its owner wants to know when it is said. Later ones have greater IDs. */
@Entity('alert_word')
@Index('ix_alert_word_user_id_word_key', ['userId', 'wordKey'], { unique: true })
export class AlertWord {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** As it was written, without surrounding white space. */
  @Column('text')
  word!: string;

  /** What must be unique: see wordKey. */
  @Column('text', { name: 'word_key' })
  wordKey!: string;
}

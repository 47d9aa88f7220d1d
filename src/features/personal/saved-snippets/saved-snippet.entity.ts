import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** A text snippet for reuse in messages. */
@Entity('saved_snippet')
@Index('ix_saved_snippet_user_id', ['userId'])
export class SavedSnippet {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** Need not be unique. */
  @Column('text')
  title!: string;

  /** Markdown. */
  @Column('text')
  content!: string;

  /** UNIX seconds; editing does not change it. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}

import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** A person does not want to read the messages of another account. */
@Entity('muted_user')
export class MutedUser {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'muted_user_id' })
  mutedUserId!: number;

  /** UNIX seconds. */
  @Column('bigint', { name: 'muted_at' })
  mutedAt!: number;
}

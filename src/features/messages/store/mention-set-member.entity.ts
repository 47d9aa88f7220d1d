import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from '../../users/users.module';
import { MentionSet } from './mention-set.entity';

/** A person in a set of mentioned people. */
@Entity('mention_set_member')
export class MentionSetMember {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => MentionSet)
  @PrimaryColumn('integer', { name: 'set_id' })
  setId!: number;
}

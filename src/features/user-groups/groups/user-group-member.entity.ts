import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UserGroup } from './user-group.entity';
import { Account } from '../../users/users.module';

/** Direct membership of a person or bot in a group. */
@Entity('user_group_member')
@Index('ix_user_group_member_user_id', ['userId'])
export class UserGroupMember {
  @ForeignKey(() => UserGroup)
  @PrimaryColumn('integer', { name: 'group_id' })
  groupId!: number;

  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;
}

import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UserGroup } from './user-group.entity';

/** Direct membership of a group in a group. */
@Entity('user_group_subgroup')
@Index('ix_user_group_subgroup_subgroup_id', ['subgroupId'])
export class UserGroupSubgroup {
  @ForeignKey(() => UserGroup)
  @PrimaryColumn('integer', { name: 'group_id' })
  groupId!: number;

  @ForeignKey(() => UserGroup)
  @PrimaryColumn('integer', { name: 'subgroup_id' })
  subgroupId!: number;
}

import { Entity, ForeignKey, Index, PrimaryColumn, Column, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** A user group: a named one, a system group (`role:...`), or the anonymous group behind a group-setting value (no name). */
@Entity('user_group')
@Index('ix_user_group_name', ['name'], { unique: true })
export class UserGroup {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Null for anonymous groups. */
  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text')
  description!: string;

  @Column('boolean', { name: 'is_system' })
  isSystem!: boolean;

  @Column('boolean', { name: 'is_deactivated' })
  isDeactivated!: boolean;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'creator_id', nullable: true })
  creatorId!: number | null;

  /** UNIX seconds; null for system and anonymous groups. */
  @Column('bigint', { name: 'date_created', nullable: true })
  dateCreated!: number | null;

  @Column('integer', { name: 'can_add_members_group', nullable: true })
  canAddMembersGroup!: number | null;

  @Column('integer', { name: 'can_join_group', nullable: true })
  canJoinGroup!: number | null;

  @Column('integer', { name: 'can_leave_group', nullable: true })
  canLeaveGroup!: number | null;

  @Column('integer', { name: 'can_manage_group', nullable: true })
  canManageGroup!: number | null;

  @Column('integer', { name: 'can_mention_group', nullable: true })
  canMentionGroup!: number | null;

  @Column('integer', { name: 'can_remove_members_group', nullable: true })
  canRemoveMembersGroup!: number | null;
}

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

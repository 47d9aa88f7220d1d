import { Column, Entity, Index, PrimaryGeneratedColumn } from 'parley/module';

/** A user group whose members are those who are on call. */
@Entity('module_oncall_rotation')
@Index('ix_module_oncall_rotation_group_id', ['groupId'], { unique: true })
export class Rotation {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('integer', { name: 'group_id' })
  groupId!: number;

  /** Name of the file. */
  @Column('text')
  calendar!: string;

  /** Where it is said who takes over; null for nowhere. */
  @Column('integer', { name: 'channel_id', nullable: true })
  channelId!: number | null;

  @Column('text')
  topic!: string;

  /** In whose name the group is changed. */
  @Column('integer', { name: 'set_up_by' })
  setUpBy!: number;

  /** IDs of people as JSON, ascending. */
  @Column('text', { name: 'on_call' })
  onCall!: string;

  /** UNIX seconds: when somebody else takes over; null where nothing is known of that. */
  @Column('bigint', { nullable: true })
  until!: number | null;

  /** Why the group is not in step; null where it is. */
  @Column('text', { nullable: true })
  problem!: string | null;
}

import { Entity, ForeignKey, Index, PrimaryColumn, Column, PrimaryGeneratedColumn } from 'typeorm';
import { Channel } from '../store/channel.entity';

/** Channels that newcomers may choose together when they join. */
@Entity('default_channel_group')
@Index('ix_default_channel_group_name', ['name'], { unique: true })
export class DefaultChannelGroup {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** As it was written; upper and lower case differ. */
  @Column('text')
  name!: string;

  @Column('text')
  description!: string;
}

/** A channel in a group. */
@Entity('default_channel_group_channel')
@Index('ix_default_channel_group_channel_channel_id', ['channelId'])
export class DefaultChannelGroupChannel {
  @ForeignKey(() => DefaultChannelGroup)
  @PrimaryColumn('integer', { name: 'group_id' })
  groupId!: number;

  /** Neither private nor archived. */
  @ForeignKey(() => Channel)
  @PrimaryColumn('integer', { name: 'channel_id' })
  channelId!: number;
}

import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Channel } from '../store/channel.entity';
import { DefaultChannelGroup } from './default-channel-group.entity';

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

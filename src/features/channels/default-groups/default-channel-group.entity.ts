import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { Queryable } from '../../../platform/sql/queryable';
import { compareCodePoints } from '../store/channel.directory';
import { Channel } from '../store/channel.entity';

/** Channels that new users can choose as a group when they join. */
@Entity('default_channel_group')
@Index('ix_default_channel_group_name', ['name'], { unique: true })
export class DefaultChannelGroup {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** As entered; case-sensitive. */
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

/** A group with the IDs of its channels. */
export interface StoredGroup extends Readonly<DefaultChannelGroup> {
  readonly channelIds: ReadonlySet<number>;
}

/** All groups, sorted by the code points of their names. */
export async function storedGroups(db: Queryable): Promise<StoredGroup[]> {
  const groups = await db.repository(DefaultChannelGroup).find();
  if (groups.length === 0) return [];
  const rows = await db.repository(DefaultChannelGroupChannel).find();
  return groups
    .sort((a, b) => compareCodePoints(a.name, b.name))
    .map((group) => ({
      ...group,
      channelIds: new Set(
        rows.filter(({ groupId }) => groupId === group.id).map(({ channelId }) => channelId),
      ),
    }));
}

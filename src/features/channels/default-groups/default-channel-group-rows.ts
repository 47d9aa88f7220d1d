import type { Queryable } from '../../../platform/sql/queryable';
import { compareCodePoints } from '../store/channel.directory';
import { DefaultChannelGroupChannel, DefaultChannelGroup } from './default-channel-group.entity';

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

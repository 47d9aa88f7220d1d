import type { Role } from '../../../../platform/actor';
import type { ChannelAccess, ChannelDirectory } from '../../../channels/channels.module';

/** Columns of a channel that determine its visibility. */
interface NamedChannel {
  readonly id: number;
  readonly name: string;
  readonly is_private: boolean | number;
}

/** The exported person. */
interface Viewer {
  readonly userId: number;
  readonly role: Role;
}

/**
 * Visibility of the channels in which a person wrote. They may have left one, or messages were moved into one that they
 * never saw; then the archive must not reveal its name, settings and topics.
 */
export class SeenChannels {
  private constructor(
    private readonly seen: ReadonlySet<number>,
    private readonly read: ReadonlySet<number>,
  ) {}

  static of(channels: ChannelDirectory, access: ChannelAccess, viewer: Viewer): SeenChannels {
    const all = channels.all();
    const idsOf = (some: typeof all) => new Set(some.map(({ id }) => id));
    return new SeenChannels(
      idsOf(all.filter((channel) => access.hasMetadataAccess(viewer, channel))),
      idsOf(all.filter((channel) => access.hasContentAccess(viewer, channel))),
    );
  }

  /** Whether the person can see the channel's name and settings. */
  has(channelId: number): boolean {
    return this.seen.has(channelId);
  }

  /** Whether the person can see the channel's topics. */
  reads(channelId: number): boolean {
    return this.read.has(channelId);
  }

  /** The channel's name, or a placeholder. */
  nameOf({ id, name, is_private: isPrivate }: NamedChannel): string {
    if (this.has(id)) return name;
    return isPrivate ? 'private channel' : 'unknown channel';
  }
}

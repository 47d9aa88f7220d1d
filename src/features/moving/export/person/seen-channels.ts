import type { Role } from '../../../../platform/actor';
import type { ChannelAccess, ChannelDirectory } from '../../../channels/channels.module';

/** A row of a channel, as the database has it. */
interface NamedChannel {
  readonly id: number;
  readonly name: string;
  readonly is_private: boolean | number;
}

/** The person whose archive it is. */
interface Viewer {
  readonly userId: number;
  readonly role: Role;
}

/**
 * How far a person sees the channels in which they wrote something. They may have left one, or messages were moved into it:
 * then its name, settings and topics are none of their business.
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

  /** Whether the person sees its name and settings. */
  has(channelId: number): boolean {
    return this.seen.has(channelId);
  }

  /** Whether the person sees its topics. */
  reads(channelId: number): boolean {
    return this.read.has(channelId);
  }

  /** Its name, or what stands for it. */
  nameOf({ id, name, is_private: isPrivate }: NamedChannel): string {
    if (this.has(id)) return name;
    return isPrivate ? 'private channel' : 'unknown channel';
  }
}

import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { ChannelDirectory, type ChannelRecord } from '../store/channel.directory';
import { ChannelCreationAccess } from './channel-creation.access';
import type { ChannelOptions } from '../store/channel-options';
import { CreateChannelService, type CreatedChannel } from './create-channel.service';
import { DescriptionRenderer } from '../store/description-renderer.service';
import { channelNameKey, checkChannelName } from '../store/channel-name';

/** A channel as a request names it. */
export interface WantedChannel {
  readonly name: string;
  /** Markdown; for a new channel only. */
  readonly description?: string;
  /** Of new subscriptions; only where the name is spelled as it is stored. */
  readonly color?: string;
}

/** HTML by Markdown. */
export type RenderedDescriptions = ReadonlyMap<string, string>;

/** Channels that somebody names, and how those are to be that do not exist yet. */
export interface ChannelsRequest {
  readonly wanted: readonly WantedChannel[];
  readonly options: ChannelOptions;
  /** What {@link FindOrCreateChannelsService.render} made of the descriptions. */
  readonly rendered: RenderedDescriptions;
}

/** Channels by how they were come by; each once. */
export interface FoundChannels {
  readonly existing: readonly ChannelRecord[];
  readonly created: readonly CreatedChannel[];
}

/** Finds channels by their names, archived ones included, and makes those that do not exist. */
@Injectable()
export class FindOrCreateChannelsService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelCreationAccess,
    private readonly creation: CreateChannelService,
    private readonly renderer: DescriptionRenderer,
  ) {}

  /** Renders the descriptions that new channels will need; to be done before the transaction. */
  render(wanted: readonly WantedChannel[]): RenderedDescriptions {
    const missing = wanted.filter(({ name }) => !this.channels.byName(name));
    const descriptions = new Set(missing.map(descriptionOf));
    return new Map([...descriptions].map((markdown) => [markdown, this.renderer.render(markdown)]));
  }

  /**
   * @throws errors of the options, of the names, and of the right to make channels, in this order
   */
  async findOrCreate(
    tx: Transaction,
    actor: Actor,
    { wanted, options, rendered }: ChannelsRequest,
  ): Promise<FoundChannels> {
    await this.access.checkOptions(tx, actor, options);
    const named = new Map<string, WantedChannel>();
    for (const channel of wanted) {
      const name = checkChannelName(channel.name);
      const key = channelNameKey(name);
      if (!named.has(key)) named.set(key, { ...channel, name });
    }
    const existing = [...named.keys()].flatMap((key) => this.channels.byName(key) ?? []);
    const missing = [...named.values()].filter(({ name }) => !this.channels.byName(name));
    if (missing.length === 0) return { existing, created: [] };
    const settings = this.access.checkMayCreate(actor, options);
    const channels = missing.map((channel) => this.withDescription(channel, rendered));
    const setup = { options, settings, creatorId: actor.userId };
    return { existing, created: await this.creation.create(tx, channels, setup) };
  }

  private withDescription(channel: WantedChannel, rendered: RenderedDescriptions) {
    const description = descriptionOf(channel);
    // A channel may have lost its name since descriptions were rendered.
    const renderedDescription = rendered.get(description) ?? this.renderer.render(description);
    return { name: channel.name, description, renderedDescription };
  }
}

/** Descriptions are one line. */
function descriptionOf({ description = '' }: WantedChannel): string {
  return description.replaceAll('\n', ' ');
}

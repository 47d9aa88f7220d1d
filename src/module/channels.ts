import { Injectable } from '@nestjs/common';
import type { Actor } from '../platform/actor';
import type { Audience } from '../platform/events/audience';
import {
  ChannelAccess,
  ChannelDirectory,
  type ChannelRecord,
  SubscriptionDirectory,
} from '../features/channels/channels.module';

/** A channel as exposed to modules. */
export interface ChannelInfo {
  readonly id: number;
  readonly name: string;
  /** Markdown. */
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
}

/** Channels and their subscribers, from memory. */
@Injectable()
export class Channels {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly subscriptions: SubscriptionDirectory,
  ) {}

  /** The channel with this ID, or with this name (case-insensitive); null if there is none. Does not check access. */
  find(idOrName: number | string): ChannelInfo | null {
    const channel =
      typeof idOrName === 'number' ? this.channels.byId(idOrName) : this.channels.byName(idOrName);
    return channel ? info(channel) : null;
  }

  /**
   * An active channel whose messages the actor may read.
   * @throws ApiError, the same for a channel that is out of reach and for one that does not exist
   */
  readable(actor: Actor, idOrName: number | string): ChannelInfo {
    return info(
      typeof idOrName === 'number'
        ? this.access.forContent(actor, idOrName)
        : this.access.forContentByName(actor, idOrName),
    );
  }

  /**
   * A channel whose settings the actor may change.
   * @throws ApiError
   */
  administered(actor: Actor, id: number): ChannelInfo {
    return info(this.access.forAdministration(actor, id));
  }

  /** Active accounts subscribed to a channel, including bots. */
  subscribers(id: number): Audience {
    return this.subscriptions.subscribersOf(id);
  }
}

function info({ id, name, description, isPrivate, isArchived }: ChannelRecord): ChannelInfo {
  return { id, name, description, isPrivate, isArchived };
}

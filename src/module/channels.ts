import { Injectable } from '@nestjs/common';
import type { Actor } from '../platform/actor';
import type { Audience } from '../platform/events/audience';
import {
  ChannelAccess,
  ChannelDirectory,
  type ChannelRecord,
  SubscriptionDirectory,
} from '../features/channels/channels.module';

/** A channel, as modules see it. */
export interface ChannelInfo {
  readonly id: number;
  readonly name: string;
  /** Markdown. */
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
}

/** Channels and who is subscribed to them, from memory. */
@Injectable()
export class Channels {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly subscriptions: SubscriptionDirectory,
  ) {}

  /** The channel of this ID, or of this name in any case; null where there is none. Says nothing about who may know. */
  find(idOrName: number | string): ChannelInfo | null {
    const channel =
      typeof idOrName === 'number' ? this.channels.byId(idOrName) : this.channels.byName(idOrName);
    return channel ? info(channel) : null;
  }

  /**
   * A channel in use whose messages the actor may read.
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
   * A channel that the actor may change the settings of.
   * @throws ApiError
   */
  administered(actor: Actor, id: number): ChannelInfo {
    return info(this.access.forAdministration(actor, id));
  }

  /** Active accounts that are subscribed to a channel, bots included. */
  subscribers(id: number): Audience {
    return this.subscriptions.subscribersOf(id);
  }
}

function info({ id, name, description, isPrivate, isArchived }: ChannelRecord): ChannelInfo {
  return { id, name, description, isPrivate, isArchived };
}

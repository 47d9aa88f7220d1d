import { type NewChannelRequest, ChannelAlreadyExists } from './administration.api';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { AddSubscribersService } from '../subscriptions/add-subscribers.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { channelsCreated } from '../channels.hooks';
import { FindOrCreateChannelsService } from '../creation/find-or-create-channels.service';
import { SubscribeAccess } from '../access/subscribe.access';
import { ActorTransactions } from '../../users/users.module';

/** Makes one channel that must not exist yet, where subscribing would take an existing one. */
@Injectable()
export class NewChannelService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly finder: FindOrCreateChannelsService,
    private readonly access: SubscribeAccess,
    private readonly subscribers: AddSubscribersService,
    private readonly hooks: Hooks,
  ) {}

  /**
   * @returns the ID of the channel
   * @throws errors of names and creation, ChannelAlreadyExists, PrincipalUnknown, UserDeactivated
   */
  async create(caller: Actor, request: NewChannelRequest): Promise<number> {
    const { channel: wanted, options, subscriberIds, announce } = request;
    const rendered = this.finder.render(caller, [wanted]);
    return this.transactions.runExclusive(caller, async (tx, actor) => {
      const sought = { wanted: [wanted], options, rendered };
      const { existing, created } = await this.finder.findOrCreate(tx, actor, sought);
      const [taken] = existing;
      if (taken) throw new ChannelAlreadyExists(this.access.nameFor(actor, taken, [wanted.name]));
      const userIds =
        subscriberIds.length === 0
          ? []
          : this.access.peopleNamed(subscriberIds, actor.userId).map(({ id }) => id);
      const additions = created.map((made) => ({ ...made, userIds }));
      await this.subscribers.add(tx, additions);
      await this.hooks.run(channelsCreated, tx, { actor, created: additions, announce });
      return (additions[0] as (typeof additions)[0]).channel.id;
    });
  }
}

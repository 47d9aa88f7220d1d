import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Channel } from '../store/channel.entity';
import type { ChannelRecord } from '../store/channel.directory';
import type { ChannelState } from '../store/channel-settings.service';
import { ChannelEventsService } from './channel-events.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { channelChanged } from '../channels.hooks';

/** Writes a checked change of a channel, whatever it is: the row, the events, and what observers do. */
@Injectable()
export class ApplyChannelChangeService {
  constructor(
    private readonly events: ChannelEventsService,
    private readonly hooks: Hooks,
  ) {}

  /** Needs the exclusive transaction in which the change was checked. Two equal states do nothing. */
  async apply(tx: Transaction, actor: Actor, before: ChannelState, after: ChannelState): Promise<void> {
    if (isDeepStrictEqual(before, after)) return;
    const { id } = before.channel;
    const changed = difference(before.channel, after.channel);
    if (Object.keys(changed).length > 0) await tx.repository(Channel).update({ id }, changed);
    tx.touch('channels', [id]);
    await this.events.emitChanged(tx, before, after);
    await this.hooks.run(channelChanged, tx, { actor, before, after });
  }
}

function difference(before: ChannelRecord, after: ChannelRecord): Partial<Channel> {
  return Object.fromEntries(
    Object.entries(after).filter(([property, value]) => before[property as keyof Channel] !== value),
  );
}

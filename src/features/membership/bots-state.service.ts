import { Injectable } from '@nestjs/common';
import { InitialStateRegistry } from '../../platform/client-state/initial-state.registry';
import { botsState, NO_EMBEDDED_BOTS, NO_INCOMING_WEBHOOKS } from './bot.wire';
import { BotRecords } from './bot-records.service';

/** Tells clients that register which bots their owner administers, and what kinds of bots there are. */
@Injectable()
export class BotsStateService {
  constructor(records: BotRecords, registry: InitialStateRegistry) {
    registry.register({
      fetchType: 'realm_bot',
      state: async (db, { reader }) => botsState(reader ? await records.known(db, reader.userId) : []),
    });
    registry.register({ fetchType: 'realm_embedded_bots', state: () => NO_EMBEDDED_BOTS });
    registry.register({ fetchType: 'realm_incoming_webhook_bots', state: () => NO_INCOMING_WEBHOOKS });
  }
}

import { Injectable } from '@nestjs/common';
import { initialState, stateFor } from '../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../platform/hooks/hooks';
import { botsState, NO_EMBEDDED_BOTS, NO_INCOMING_WEBHOOKS } from './bot.wire';
import { BotRecords } from './bot-records.service';

/** Tells clients that register which bots their owner administers, and what kinds of bots there are. */
@Injectable()
export class BotsStateService {
  constructor(records: BotRecords, hooks: Hooks) {
    hooks.on(
      initialState,
      stateFor('realm_bot', async (db, { reader }) =>
        botsState(reader ? await records.known(db, reader.userId) : []),
      ),
    );
    hooks.on(
      initialState,
      stateFor('realm_embedded_bots', () => NO_EMBEDDED_BOTS),
    );
    hooks.on(
      initialState,
      stateFor('realm_incoming_webhook_bots', () => NO_INCOMING_WEBHOOKS),
    );
  }
}

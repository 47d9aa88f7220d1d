import { Injectable } from '@nestjs/common';
import { InitialStateRegistry } from '../../platform/client-state/initial-state.registry';
import { PresenceListService } from './presence-list.service';

/** Tells clients that register who was there when. */
@Injectable()
export class PresenceStateService {
  constructor(lists: PresenceListService, registry: InitialStateRegistry) {
    registry.register({
      fetchType: 'presence',
      state: async (db, { reader, slimPresence, presenceHistoryDays }) => ({
        ...(await lists.list(db, reader, {
          isSlim: slimPresence,
          historyDays: presenceHistoryDays ?? undefined,
        })),
      }),
    });
  }
}

import { Injectable } from '@nestjs/common';
import { InitialStateRegistry } from '../../platform/client-state/initial-state.registry';
import { MutedUserDirectory } from './muted-user.directory';
import { mutedUsersWire } from './muted-users.wire';

/** Tells clients that register whom their person muted. */
@Injectable()
export class MutedUsersStateService {
  constructor(muted: MutedUserDirectory, registry: InitialStateRegistry) {
    registry.register({
      fetchType: 'muted_users',
      state: (_, { reader }) => ({ muted_users: reader ? mutedUsersWire(muted.mutedBy(reader.userId)) : [] }),
    });
  }
}

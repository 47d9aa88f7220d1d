import { Injectable } from '@nestjs/common';
import { InitialStateRegistry } from '../../../platform/client-state/initial-state.registry';
import { AccountDirectory, EmailVisibility } from '../accounts/account.directory';
import { initialSettingsState, personalSettingsState } from './personal-settings.wire';

/** What somebody without an account goes by, and whoever joins begins with. */
const INITIAL = { timezone: '', emailVisibility: EmailVisibility.everyone, settings: {} };

/** Tells clients that register the settings of their person, and those of new accounts. */
@Injectable()
export class PersonalSettingsStateService {
  constructor(accounts: AccountDirectory, registry: InitialStateRegistry) {
    registry.register({
      fetchType: 'user_settings',
      state: (_, { reader }) => personalSettingsState((reader && accounts.byId(reader.userId)) ?? INITIAL),
    });
    registry.register({
      fetchType: 'realm_user_settings_defaults',
      state: () => initialSettingsState(INITIAL.emailVisibility),
    });
  }
}

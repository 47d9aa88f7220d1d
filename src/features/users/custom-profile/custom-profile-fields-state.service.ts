import { Injectable } from '@nestjs/common';
import { InitialStateRegistry } from '../../../platform/client-state/initial-state.registry';
import { PROFILE_FIELD_TYPES } from './custom-profile-field.wire';
import { CustomProfileFieldsService } from './custom-profile-fields.service';
import { EXTERNAL_ACCOUNTS_STATE } from '../records/users-state.wire';

/** Tells clients that register which profile fields there are and could be. */
@Injectable()
export class CustomProfileFieldsStateService {
  constructor(fields: CustomProfileFieldsService, registry: InitialStateRegistry) {
    registry.register({
      fetchType: 'custom_profile_fields',
      // Profiles are nothing for people without an account.
      state: async (db, { reader }) => ({
        custom_profile_fields: reader ? await fields.list(db) : [],
        custom_profile_field_types: PROFILE_FIELD_TYPES,
      }),
    });
    registry.register({ fetchType: 'realm', state: () => EXTERNAL_ACCOUNTS_STATE });
  }
}

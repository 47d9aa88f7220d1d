import { defineEvent } from '../../../platform/events/server-event';

/** One of the receiver's personal settings changed. */
export const personalSettingUpdated = defineEvent<{
  property: string;
  value: boolean | number | string;
  language_name?: string;
}>('user_settings', 'update');

/** A personal setting with which new people begin has another value. */
export const initialSettingUpdated = defineEvent<{
  property: string;
  value: boolean | number | string;
}>('realm_user_settings_defaults', 'update');

import { defineEvent } from '../../../platform/events/server-event';

/** One of the receiver's personal settings changed. */
export const personalSettingUpdated = defineEvent<{
  property: string;
  value: boolean | number | string;
  language_name?: string;
}>('user_settings', 'update');

import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';
import { ChannelSettingsPage } from './channel-settings-page';
import { ChannelsPage } from './channels-page';

/** Channels as those see them who administer some. */
export const channelScreens: readonly Screen[] = [
  {
    path: `${ROOT}/channel-settings`,
    show: ChannelsPage,
    label: words.channels.title,
  },
  { path: `${ROOT}/channel-settings/:channel`, show: ChannelSettingsPage },
];

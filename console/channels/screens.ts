import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import { words } from '../words';
import { ChannelSettingsPage } from './channel-settings-page';
import { ChannelsPage } from './channels-page';

/** Channels as those see them who administer some. */
export const channelScreens: readonly Screen[] = [
  {
    path: `${ROOT}/channel-settings`,
    show: ChannelsPage,
    navigation: { label: words.channels.title, isForAdministrators: false },
  },
  { path: `${ROOT}/channel-settings/:channel`, show: ChannelSettingsPage },
];

import { lazy } from '../parts/lazy';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';

const ChannelSettingsPage = lazy(async () => (await import('../administration')).ChannelSettingsPage);
const ChannelsPage = lazy(async () => (await import('../administration')).ChannelsPage);
const BrowsePage = lazy(async () => (await import('../administration')).BrowsePage);

/** Pages for channel administrators. */
export const channelScreens: readonly Screen[] = [
  { path: `${ROOT}/channels`, show: BrowsePage },
  {
    path: `${ROOT}/channel-settings`,
    show: ChannelsPage,
    label: words.channels.title,
  },
  { path: `${ROOT}/channel-settings/:channel`, show: ChannelSettingsPage },
];

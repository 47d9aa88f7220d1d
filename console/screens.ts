import { botScreens } from './bots/screens';
import { channelScreens } from './channels/screens';
import { conversationScreens } from './conversations/screens';
import { groupScreens } from './groups/screens';
import { organizationScreens } from './organization/screens';
import type { Screen } from './parts/screen';
import { ROOT } from './router';
import { peopleScreens } from './people/screens';
import { serverScreens } from './server/screens';
import { settingsScreens } from './settings/screens';
import { welcomeScreens } from './welcome/screens';
import { whyScreens } from './why/screens';

/** All pages, in the order of the navigation. New pages must be added here. */
export const SCREENS: readonly Screen[] = [
  ...conversationScreens,
  // The list of the pages that have labels, around which nothing else is shown.
  { path: `${ROOT}/administration`, show: () => null },
  ...settingsScreens,
  ...peopleScreens,
  ...channelScreens,
  ...groupScreens,
  ...welcomeScreens,
  ...whyScreens,
  ...botScreens,
  ...organizationScreens,
  ...serverScreens,
];

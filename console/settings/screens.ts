import { lazy } from '../parts/lazy';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';

const SettingsPage = lazy(async () => (await import('../administration')).SettingsPage);

/** Pages of personal settings, which the user's own menu links to. */
export const settingsScreens: readonly Screen[] = [
  { path: `${ROOT}/settings`, show: SettingsPage },
  { path: `${ROOT}/settings/:page`, show: SettingsPage },
];

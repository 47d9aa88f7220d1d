import { lazy } from '../parts/lazy';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';

const SettingsPage = lazy(async () => (await import('../administration')).SettingsPage);

/** What is one's own. The menu of the reader leads there. */
export const settingsScreens: readonly Screen[] = [
  { path: `${ROOT}/settings`, show: SettingsPage },
  { path: `${ROOT}/settings/:page`, show: SettingsPage },
];

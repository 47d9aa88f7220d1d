import { lazy } from '../parts/lazy';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';

const WelcomePage = lazy(async () => (await import('./welcome-page')).WelcomePage);

/** The first steps of an owner, which their menu also links to. */
export const welcomeScreens: readonly Screen[] = [
  { path: `${ROOT}/welcome`, show: WelcomePage, only: 'owners' },
];

import { onlyFor } from '../parts/only-for';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import { words } from '../words';
import { HealthPage } from './health-page';

/** How the server is. */
export const serverScreens: readonly Screen[] = [
  {
    path: `${ROOT}/health`,
    show: onlyFor('administrators', HealthPage),
    navigation: { label: words.health.title, isForAdministrators: true },
  },
];

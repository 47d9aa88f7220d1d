import { lazy } from '../parts/lazy';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';

const HealthPage = lazy(async () => (await import('../administration')).HealthPage);

/** How the server is. */
export const serverScreens: readonly Screen[] = [
  {
    path: `${ROOT}/health`,
    show: HealthPage,
    only: 'administrators',
    label: words.health.title,
  },
];

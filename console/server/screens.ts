import { lazy } from '../parts/lazy';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';

const HealthPage = lazy(async () => (await import('../administration')).HealthPage);
const KitPage = lazy(async () => (await import('../parts/kit-page')).KitPage);

/** Pages about the server's health, and the components of the console. */
export const serverScreens: readonly Screen[] = [
  {
    path: `${ROOT}/health`,
    show: HealthPage,
    only: 'administrators',
    label: words.health.title,
  },
  { path: `${ROOT}/kit`, show: KitPage, only: 'administrators' },
];

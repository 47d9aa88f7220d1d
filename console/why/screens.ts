import { lazy } from '../parts/lazy';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';

const WhyPage = lazy(async () => (await import('../administration')).WhyPage);

/** The page that explains permissions. */
export const whyScreens: readonly Screen[] = [{ path: `${ROOT}/why`, show: WhyPage, label: words.why.title }];

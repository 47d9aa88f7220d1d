import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';
import { WhyPage } from './why-page';

/** Who may do what, and why. */
export const whyScreens: readonly Screen[] = [{ path: `${ROOT}/why`, show: WhyPage, label: words.why.title }];

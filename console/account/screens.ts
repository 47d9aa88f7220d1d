import { lazy } from '../parts/lazy';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';

const AccountPage = lazy(async () => (await import('../administration')).AccountPage);

/** What is one's own. One's name, at the top of all pages, leads there. */
export const accountScreens: readonly Screen[] = [{ path: `${ROOT}/account`, show: AccountPage }];

import { lazy } from '../parts/lazy';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';

const GroupPage = lazy(async () => (await import('../administration')).GroupPage);
const GroupsPage = lazy(async () => (await import('../administration')).GroupsPage);

/** Pages about user groups. */
export const groupScreens: readonly Screen[] = [
  {
    path: `${ROOT}/groups`,
    show: GroupsPage,
    label: words.groups.groups,
  },
  { path: `${ROOT}/groups/:group`, show: GroupPage },
];

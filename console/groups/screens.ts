import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';
import { GroupPage } from './group-page';
import { GroupsPage } from './groups-page';

/** Groups of people, and how they lie in each other. */
export const groupScreens: readonly Screen[] = [
  {
    path: `${ROOT}/groups`,
    show: GroupsPage,
    label: words.groups.groups,
  },
  { path: `${ROOT}/groups/:group`, show: GroupPage },
];

import { onlyFor } from '../parts/only-for';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import { words } from '../words';
import { ImportPage } from './import-page';
import { InvitationsPage } from './invitations-page';
import { PeoplePage } from './people-page';
import { PersonPage } from './person-page';

/** Accounts of people, and how they come to have one. */
export const peopleScreens: readonly Screen[] = [
  {
    path: `${ROOT}/people`,
    show: onlyFor('administrators', PeoplePage),
    navigation: { label: words.people.title, isForAdministrators: true },
  },
  { path: `${ROOT}/people/import`, show: onlyFor('administrators', ImportPage) },
  { path: `${ROOT}/people/invitations`, show: onlyFor('administrators', InvitationsPage) },
  { path: `${ROOT}/people/:person`, show: onlyFor('administrators', PersonPage) },
];

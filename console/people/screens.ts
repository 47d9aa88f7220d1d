import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';
import { ImportPage } from './import-page';
import { InvitationsPage } from './invitations-page';
import { PeoplePage } from './people-page';
import { PersonPage } from './person-page';

/** Accounts of people, and how they come to have one. */
export const peopleScreens: readonly Screen[] = [
  {
    path: `${ROOT}/people`,
    show: PeoplePage,
    only: 'administrators',
    label: words.people.title,
  },
  { path: `${ROOT}/people/import`, show: ImportPage, only: 'administrators' },
  { path: `${ROOT}/people/invitations`, show: InvitationsPage, only: 'administrators' },
  { path: `${ROOT}/people/:person`, show: PersonPage, only: 'administrators' },
];

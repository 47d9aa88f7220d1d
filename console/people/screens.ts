import { lazy } from '../parts/lazy';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';

const ImportPage = lazy(async () => (await import('../administration')).ImportPage);
const InvitationsPage = lazy(async () => (await import('../administration')).InvitationsPage);
const PeoplePage = lazy(async () => (await import('../administration')).PeoplePage);
const PersonPage = lazy(async () => (await import('../administration')).PersonPage);

/** Pages about users, and how they get an account. */
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

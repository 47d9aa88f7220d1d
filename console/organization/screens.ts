import { lazy } from '../parts/lazy';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';

const AuditLogPage = lazy(async () => (await import('../administration')).AuditLogPage);
const DirectoriesPage = lazy(async () => (await import('../administration')).DirectoriesPage);
const EmojiPage = lazy(async () => (await import('../administration')).EmojiPage);
const ExportsPage = lazy(async () => (await import('../administration')).ExportsPage);
const LinkifiersPage = lazy(async () => (await import('../administration')).LinkifiersPage);
const OrganizationPage = lazy(async () => (await import('../administration')).OrganizationPage);

/** Pages about the whole organization. */
export const organizationScreens: readonly Screen[] = [
  {
    path: `${ROOT}/organization`,
    show: OrganizationPage,
    label: words.organization.title,
  },
  { path: `${ROOT}/organization/:page`, show: OrganizationPage },
  {
    path: `${ROOT}/linkifiers`,
    show: LinkifiersPage,
    only: 'administrators',
    label: words.linkifiers.title,
  },
  {
    path: `${ROOT}/emoji`,
    show: EmojiPage,
    label: words.emoji.title,
  },
  {
    path: `${ROOT}/exports`,
    show: ExportsPage,
    only: 'administrators',
    label: words.exports.title,
  },
  {
    path: `${ROOT}/directories`,
    show: DirectoriesPage,
    only: 'owners',
    label: words.directories.title,
  },
  {
    path: `${ROOT}/audit-log`,
    show: AuditLogPage,
    only: 'owners',
    label: words.audit.title,
  },
];

import { onlyFor } from '../parts/only-for';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import { words } from '../words';
import { AuditLogPage } from './audit-log-page';
import { EmojiPage } from './emoji-page';
import { LinkifiersPage } from './linkifiers-page';
import { OrganizationPage } from './organization-page';

/** What holds for the whole organization. */
export const organizationScreens: readonly Screen[] = [
  {
    path: `${ROOT}/organization`,
    show: onlyFor('administrators', OrganizationPage),
    navigation: { label: words.organization.title, isForAdministrators: true },
  },
  {
    path: `${ROOT}/linkifiers`,
    show: onlyFor('administrators', LinkifiersPage),
    navigation: { label: words.linkifiers.title, isForAdministrators: true },
  },
  {
    path: `${ROOT}/emoji`,
    show: EmojiPage,
    navigation: { label: words.emoji.title, isForAdministrators: false },
  },
  {
    path: `${ROOT}/audit-log`,
    show: onlyFor('owners', AuditLogPage),
    navigation: { label: words.audit.title, isForAdministrators: true },
  },
];

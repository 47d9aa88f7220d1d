import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';
import { AuditLogPage } from './audit-log-page';
import { EmojiPage } from './emoji-page';
import { LinkifiersPage } from './linkifiers-page';
import { OrganizationPage } from './organization-page';

/** What holds for the whole organization. */
export const organizationScreens: readonly Screen[] = [
  {
    path: `${ROOT}/organization`,
    show: OrganizationPage,
    only: 'administrators',
    label: words.organization.title,
  },
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
    path: `${ROOT}/audit-log`,
    show: AuditLogPage,
    only: 'owners',
    label: words.audit.title,
  },
];

import { lazy } from '../parts/lazy';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';

const BotPage = lazy(async () => (await import('../administration')).BotPage);
const BotsPage = lazy(async () => (await import('../administration')).BotsPage);

/** Pages about bots. */
export const botScreens: readonly Screen[] = [
  {
    path: `${ROOT}/bots`,
    show: BotsPage,
    only: 'administrators',
    label: words.bots.title,
  },
  { path: `${ROOT}/bots/:bot`, show: BotPage, only: 'administrators' },
];

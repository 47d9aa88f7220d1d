import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import * as words from '../words';
import { BotPage } from './bot-page';
import { BotsPage } from './bots-page';

/** Programs with an account. */
export const botScreens: readonly Screen[] = [
  {
    path: `${ROOT}/bots`,
    show: BotsPage,
    only: 'administrators',
    label: words.bots.title,
  },
  { path: `${ROOT}/bots/:bot`, show: BotPage, only: 'administrators' },
];

import { onlyFor } from '../parts/only-for';
import type { Screen } from '../parts/screen';
import { ROOT } from '../router';
import { words } from '../words';
import { BotPage } from './bot-page';
import { BotsPage } from './bots-page';

/** Programs with an account. */
export const botScreens: readonly Screen[] = [
  {
    path: `${ROOT}/bots`,
    show: onlyFor('administrators', BotsPage),
    navigation: { label: words.bots.title, isForAdministrators: true },
  },
  { path: `${ROOT}/bots/:bot`, show: onlyFor('administrators', BotPage) },
];

import type { ComponentType } from 'preact';
import { NotFound, Page } from '../parts/page';
import { Pages } from '../parts/pages';
import type { ScreenProperties } from '../parts/screen';
import { ROOT } from '../router';
import { Account } from './account';
import { Devices } from './devices';
import { Keys } from './keys';
import { Muted } from './muted';
import { Notifications } from './notifications';
import { Preferences } from './preferences';
import { OwnPrivacy } from './privacy';
import { Profile } from './profile';
import { Security } from './security';
import * as words from './words';

type PageName = keyof typeof words.pages;

const PAGES: Record<PageName, ComponentType> = {
  profile: Profile,
  account: Account,
  security: Security,
  keys: Keys,
  devices: Devices,
  preferences: Preferences,
  notifications: Notifications,
  privacy: OwnPrivacy,
  muted: Muted,
};

/** One page of the settings, beside the list of them. */
export function SettingsPage({ parameters }: ScreenProperties) {
  const chosen = (parameters['page'] ?? 'profile') as PageName;
  const Shown = PAGES[chosen];
  if (!Object.hasOwn(PAGES, chosen)) return <NotFound />;
  return (
    <Pages label={words.title} pages={words.pages} path={`${ROOT}/settings`} chosen={chosen}>
      <Page title={words.pages[chosen]} about={words.about[chosen]}>
        <Shown />
      </Page>
    </Pages>
  );
}

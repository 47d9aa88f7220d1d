import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { NotFound, Page } from '../parts/page';
import { Pages, searched } from '../parts/pages';
import type { ScreenProperties } from '../parts/screen';
import { query, ROOT } from '../router';
import { Account } from './account';
import { Devices } from './devices';
import { FoundSettings, focusSetting } from './find';
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

/** A page of the personal settings, next to the list of pages. */
export function SettingsPage({ parameters }: ScreenProperties) {
  const chosen = (parameters['page'] ?? 'profile') as PageName;
  const Shown = PAGES[chosen];
  const text = searched();
  const goal = query.value.get('at');
  // The page may still be loading its data.
  useEffect(() => {
    const timer = setTimeout(() => goal !== null && focusSetting(goal), 300);
    return () => clearTimeout(timer);
  }, [goal, chosen]);
  if (!Object.hasOwn(PAGES, chosen)) return <NotFound />;
  return (
    <Pages
      label={words.title}
      pages={words.pages}
      path={`${ROOT}/settings`}
      chosen={chosen}
      isIndex={parameters['page'] === undefined}
      up={parameters['page'] === undefined ? undefined : { href: `${ROOT}/settings`, title: words.title }}
      find={words.find}
    >
      {text ? (
        <Page title={words.found(text)}>
          <FoundSettings text={text} />
        </Page>
      ) : (
        <Page title={words.pages[chosen]} about={words.about[chosen]}>
          <Shown />
        </Page>
      )}
    </Pages>
  );
}

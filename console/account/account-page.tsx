import { call } from '../connection/call';
import { me, settings } from '../connection/state';
import { DescribedSettings } from '../parts/described-settings';
import { TextField } from '../parts/field';
import { Page } from '../parts/page';
import { Sessions } from '../parts/sessions';
import { chosenTab, Tabs } from '../parts/tabs';
import { query, setQuery } from '../router';
import * as words from '../words';
import { Notifications } from './notifications';

const { tabs } = words.account;

/** Where one is signed in oneself, and how one likes things. */
export function AccountPage() {
  const filter = query.value.get('q') ?? '';
  return (
    <Page title={words.account.title} about={me.value?.delivery_email}>
      <Tabs label={words.parts} tabs={tabs} />
      {chosenTab(tabs) === 'sessions' && <Sessions path="auth/sessions" endAll={words.account.endAll} />}
      {chosenTab(tabs) === 'notifications' && <Notifications />}
      {chosenTab(tabs) === 'settings' && (
        <>
          <TextField label={words.find} type="search" value={filter} onValue={(q) => setQuery({ q })} />
          <DescribedSettings
            endpoint="/api/v1/settings"
            kind="properties"
            isAllowed
            filter={filter}
            values={{ ...settings.value, full_name: me.value?.full_name }}
            save={(changes) => call('PATCH', 'settings', changes)}
          />
        </>
      )}
    </Page>
  );
}

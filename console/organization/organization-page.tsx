import { call } from '../connection/call';
import { organization } from '../connection/state';
import { DescribedSettings } from '../parts/described-settings';
import { TextField } from '../parts/field';
import { Page } from '../parts/page';
import { chosenTab, Tabs } from '../parts/tabs';
import { query, setQuery } from '../router';
import * as words from '../words';
import { FactorRequirement } from './factor-requirement';

const { tabs } = words.organization;

/** The settings of the organization, with what each means. */
export function OrganizationPage() {
  const part = chosenTab(tabs);
  return (
    <Page title={words.organization.title} about={words.organization.about}>
      <Tabs label={words.parts} tabs={tabs} />
      {part === 'signIn' ? <FactorRequirement /> : <Described part={part} />}
    </Page>
  );
}

function Described({ part }: { readonly part: string }) {
  const values = Object.fromEntries(
    Object.entries(organization.value).map(([key, value]) => [key.replace(/^realm_/, ''), value]),
  );
  return (
    <>
      <TextField
        label={words.find}
        type="search"
        value={query.value.get('q') ?? ''}
        onValue={(q) => setQuery({ q })}
      />
      <DescribedSettings
        key={part}
        isAllowed
        endpoint="/api/v1/realm"
        kind={part === 'permissions' ? 'permissions' : 'properties'}
        filter={query.value.get('q') ?? ''}
        values={values}
        save={(changes) => call('PATCH', 'realm', changes)}
      />
    </>
  );
}

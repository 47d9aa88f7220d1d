import type { ComponentType } from 'preact';
import { call } from '../connection/call';
import { isAdministrator, isOwner, organization } from '../connection/state';
import { NotFound, Page } from '../parts/page';
import { Pages, searched } from '../parts/pages';
import type { ScreenProperties } from '../parts/screen';
import { Setting } from '../parts/setting';
import type { PermissionRule, SettingEntry, SettingSection, SettingWords } from '../parts/setting-table';
import { ROOT } from '../router';
import { nothingFound, organization as organizationWords, ownersOnly } from '../words';
import { Defaults, Domains, Invitations, Pictures, SignIn, WelcomeTest } from './extras';
import { SETTINGS, type PageName } from './settings';
import * as words from './words';

type Name = keyof typeof words.settings;
type Title = keyof typeof words.sections;

/** Additional content below the sections of a page, or below one of them. */
const BELOW: Partial<Record<PageName, ComponentType>> = {
  profile: Pictures,
  joining: Domains,
  defaults: Defaults,
  signIn: SignIn,
};
const BELOW_SECTION: Partial<Record<Title, ComponentType>> = {
  invitations: Invitations,
  newMembers: WelcomeTest,
};

const textsOf = (name: Name): SettingWords => words.settings[name];

function OrganizationSetting({ entry }: { readonly entry: SettingEntry<Name> }) {
  const rules = organization.value['server_supported_permission_settings'] as
    Readonly<Record<'realm', Readonly<Record<string, PermissionRule>>>> | undefined;
  const isLocked = !isAdministrator.value || (entry.isForOwners === true && !isOwner.value);
  return (
    <Setting
      entry={entry}
      words={textsOf(entry.name)}
      now={organization.value[`realm_${entry.name}`]}
      save={(changes) => call('PATCH', 'realm', changes)}
      isDisabled={isLocked}
      reason={isLocked && isAdministrator.value ? ownersOnly : undefined}
      rule={rules?.realm[entry.name]}
    />
  );
}

function Sections({ sections }: { readonly sections: readonly SettingSection<Name, Title>[] }) {
  return (
    <>
      {sections.map(({ title, settings }) => {
        const Below = BELOW_SECTION[title];
        return (
          <section key={title}>
            <h2>{words.sections[title]}</h2>
            {settings.map((entry) => (
              <OrganizationSetting key={entry.name} entry={entry} />
            ))}
            {Below && <Below />}
          </section>
        );
      })}
    </>
  );
}

const has = (text: string | undefined, wanted: string) => text?.toLowerCase().includes(wanted) === true;

/** Settings of all pages whose words contain a text, and the pages with other matching content. */
function Found({ text }: { readonly text: string }) {
  const wanted = text.trim().toLowerCase();
  const matches = ({ name }: SettingEntry<Name>) => {
    const { label, hint, choices } = textsOf(name);
    return [label, hint, ...Object.values(choices ?? {})].some((each) => has(each, wanted));
  };
  const sections = Object.values<readonly SettingSection<Name, Title>[]>(SETTINGS)
    .flat()
    .map(({ title, settings }) => ({
      title,
      settings: has(words.sections[title], wanted) ? settings : settings.filter(matches),
    }))
    .filter(({ settings }) => settings.length > 0);
  const pages = (Object.keys(words.pages) as PageName[]).filter(
    (page) => has(words.more[page], wanted) || has(words.pages[page], wanted),
  );
  return (
    <>
      {sections.length + pages.length === 0 && <p class="empty">{nothingFound}</p>}
      <Sections sections={sections} />
      {pages.length > 0 && (
        <section>
          <h2>{words.alsoOn}</h2>
          <ul>
            {pages.map((page) => (
              <li key={page}>
                <a href={`${ROOT}/organization/${page}`}>{words.pages[page]}</a>
                {words.more[page] && <span class="note"> {words.more[page]}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** A page of the organization's settings, or search results, next to the list of pages. */
export function OrganizationPage({ parameters }: ScreenProperties) {
  const chosen = (parameters['page'] ?? 'profile') as PageName;
  if (!Object.hasOwn(words.pages, chosen)) return <NotFound />;
  const text = searched();
  const Below = BELOW[chosen];
  return (
    <Pages
      label={organizationWords.title}
      pages={words.pages}
      path={`${ROOT}/organization`}
      chosen={chosen}
      isIndex={parameters['page'] === undefined}
      find={words.find}
    >
      <Page
        title={text ? words.found(text) : words.pages[chosen]}
        about={text ? undefined : words.about[chosen]}
      >
        {!isAdministrator.value && <p class="notice">{words.readOnly}</p>}
        {text ? (
          <Found text={text} />
        ) : (
          <>
            <Sections key={chosen} sections={SETTINGS[chosen]} />
            {Below && <Below />}
          </>
        )}
      </Page>
    </Pages>
  );
}

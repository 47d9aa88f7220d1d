import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BY_HAND, SETTINGS as CHANNEL } from '../../console/channels/settings';
import { SETTINGS as GROUP } from '../../console/groups/settings';
import { SETTINGS as ORGANIZATION } from '../../console/organization/settings';
import { limitOf, type SettingEntry, type SettingSection } from '../../console/parts/setting-table';
import { readApiDescription } from '../support/description/openapi';
import { TestApp } from '../support/test-app';

const ROOT = join(__dirname, '../..');

/** Settings of the organization that the server stores for other apps, and obeys no more than the console does. */
const FOR_OTHER_APPS = [
  'org_type',
  'media_preview_size',
  'require_e2ee_push_notifications',
  'enable_guest_user_indicator',
  'enable_guest_user_dm_warning',
  'video_chat_provider',
  'jitsi_server_url',
  'gif_rating_policy',
];
/** The same of permissions. */
const PERMISSIONS_FOR_OTHER_APPS = [
  'can_manage_billing_group',
  'can_summarize_topics_group',
  'workplace_users_group',
];
/** Settings with one value, which stand for what the server does not do. */
const FIXED = [
  'invite_required',
  'digest_emails_enabled',
  'digest_weekday',
  'send_welcome_emails',
  'inline_url_embed_preview',
  'want_advertise_in_communities_directory',
  'string_id',
];
/** Settings with a control of their own. */
const SIGN_IN_METHODS = ['authentication_methods'];

const entries = (pages: Readonly<Record<string, readonly SettingSection[]>>): readonly SettingEntry[] =>
  Object.values(pages).flatMap((sections) => sections.flatMap(({ settings }) => settings));

/** The parameters that an endpoint takes in its form, other names of them left out. */
function parametersOf(path: string): string[] {
  const { paths } = readApiDescription();
  const content = paths[path]!['patch']!.requestBody!.content;
  const { properties } = Object.values(content)[0]!.schema as {
    readonly properties: Readonly<Record<string, { readonly description?: string }>>;
  };
  return Object.entries(properties)
    .filter(([, { description = '' }]) => !description.startsWith('Another name of'))
    .map(([name]) => name)
    .sort();
}

describe('the settings in the console', () => {
  it('are those of the organization that the server obeys', () => {
    const shown = entries(ORGANIZATION).map(({ name }) => name);
    const known = [...shown, ...FOR_OTHER_APPS, ...PERMISSIONS_FOR_OTHER_APPS, ...FIXED, ...SIGN_IN_METHODS];
    expect(known.sort()).toEqual(parametersOf('/api/v1/realm'));
    const document = readFileSync(join(ROOT, 'docs/compatibility.md'), 'utf8');
    const row = /^\| `PATCH \/realm` .*$/m.exec(document)![0];
    for (const name of FOR_OTHER_APPS) expect(row).toContain(`\`${name}\``);
  });

  it('are those of channels and of groups', () => {
    const ofChannels = [...entries(CHANNEL).map(({ name }) => name), ...BY_HAND];
    expect(ofChannels.sort()).toEqual(parametersOf('/api/v1/streams/{stream_id}'));
    const ofGroups = [...Object.values(GROUP).flatMap((each) => each.map(({ name }) => name)), 'deactivated'];
    expect(ofGroups.sort()).toEqual(parametersOf('/api/v1/user_groups/{user_group_id}'));
  });

  it('load no description of the API', () => {
    const folder = join(ROOT, 'dist/console');
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(10);
    for (const name of scripts) expect(readFileSync(join(folder, name), 'utf8')).not.toContain('docs-json');
  });
});

describe('settings that the console leaves to owners', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });

  afterAll(() => app.stop());

  it('are those that the server refuses administrators', async () => {
    const { adam } = app.cast;
    const { state } = await app.queue(adam, { fetch_event_types: ['realm', 'realm_user_groups'] });
    const refused: string[] = [];
    for (const { name, control } of entries(ORGANIZATION)) {
      const now = state[`realm_${name}`];
      const value = control.kind === 'group' ? { new: now } : control.kind === 'limit' ? limitOf(now) : now;
      const { body } = await app.as(adam).patch('/realm', { [name]: value });
      if (body.result !== 'success') refused.push(`${name}: ${body.msg}`);
    }
    const owners = entries(ORGANIZATION).filter(({ isForOwners }) => isForOwners);
    expect(refused).toEqual(owners.map(({ name }) => `${name}: Must be an organization owner`));
  });
});

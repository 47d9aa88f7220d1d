import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { keyScopeOf, type Route, routesOf, who } from '../../scripts/routes-table';
import { isAdministrator, isGuest, isOwner } from '../../src/platform/actor';
import { Passwords } from '../../src/platform/secrets/passwords';
import { PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { ACCOUNT_CASES } from '../support/permissions/account-cases';
import { AUDITED, newestEntry, recordedSince } from '../support/permissions/audited';
import { makeActors, type Actor, type ActorName } from '../support/permissions/actors';
import type { CaseTable, World } from '../support/permissions/case';
import { CHANNEL_CASES } from '../support/permissions/channel-cases';
import { Channels } from '../support/permissions/channels';
import { COMPANION_CASES } from '../support/permissions/companion-cases';
import { FACTOR_CASES } from '../support/permissions/factor-cases';
import { KEY_CASES } from '../support/permissions/key-cases';
import { PUSH_CASES } from '../support/permissions/push-cases';
import { JOINING_CASES } from '../support/permissions/joining-cases';
import { MESSAGE_CASES } from '../support/permissions/message-cases';
import { DIRECTORY_CASES } from '../support/permissions/directory-cases';
import { OPEN_CASES } from '../support/permissions/open-cases';
import { ORGANIZATION_CASES } from '../support/permissions/organization-cases';
import { PERSONAL_CASES } from '../support/permissions/personal-cases';
import {
  endpointOf,
  formatTable,
  PERMISSION_MATRIX,
  readTable,
  type Row,
} from '../support/permissions/table';
import { TUS_CASES } from '../support/permissions/tus-cases';
import { TestApp } from '../support/test-app';
import { VERIFY_TOKEN, WEBHOOK_SECRET } from '../support/messaging-setup';

/**
 * The table is what a reviewer reads, and what the server does. Where a change is meant to move it, run this file with
 * WRITE_PERMISSION_MATRIX=1 and have the difference reviewed as a change of permissions.
 */
const table = readTable();
const isWriting = Boolean(process.env.WRITE_PERMISSION_MATRIX);

const cases: CaseTable = {
  ...CHANNEL_CASES,
  ...MESSAGE_CASES,
  ...ACCOUNT_CASES,
  ...PERSONAL_CASES,
  ...ORGANIZATION_CASES,
  ...JOINING_CASES,
  ...DIRECTORY_CASES,
  ...OPEN_CASES,
  ...FACTOR_CASES,
  ...KEY_CASES,
  ...PUSH_CASES,
  ...COMPANION_CASES,
  ...TUS_CASES,
};
/** In the order of the table, new ones last: what some change, others meet. */
const endpoints = [...new Set([...table.endpoints.keys(), ...Object.keys(cases)])].filter(
  (endpoint) => endpoint in cases,
);

let app: TestApp;
let world: World;
let actors: Actor[];
let routes: Map<string, Route>;
const found: Row[] = [];

beforeAll(async () => {
  const env = { WEB_PUBLIC_STREAMS_ENABLED: 'true', WEBHOOK_SECRET, WEBHOOK_VERIFY_TOKEN: VERIFY_TOKEN };
  app = await TestApp.start({ env, withoutLaw: 'it makes thousands of accounts, of which all are told' });
  const { olivia, mia: host } = app.cast;
  expectSuccess(await app.as(olivia).patch('/realm', { enable_spectator_access: true }));
  const field = await app.as(olivia).post('/realm/profile_fields', { name: 'Phone', field_type: 1 });
  const square = { width: 8, height: 8, channels: 3, background: '#00f' } as const;
  actors = await makeActors(app);
  world = {
    app,
    host,
    channels: new Channels(app, host, actors),
    picture: await sharp({ create: square }).png().toBuffer(),
    passwordHash: await app.get(Passwords).hash(PASSWORD),
    profileField: expectSuccess(field).id,
  };
  routes = new Map(routesOf(app.nest).map((route) => [endpointOf(route.verb, route.path), route]));
});

afterAll(() => app.stop());

/** Whether the route says that it does not serve somebody, whatever is asked of it. */
function isClosed({ policy }: Route, { name, account, isPerson }: Actor): boolean {
  if (policy.public) return false;
  if (!account) return !policy.optionalCredentials;
  if (policy.scheme === 'session') return !policy.optionalCredentials && !isPerson;
  if (policy.scheme === 'bearer' && !isPerson) return true;
  if (policy.scheme === 'key' && isPerson) return true;
  return (
    (policy.role === 'owner' && !isOwner(account)) ||
    (policy.role === 'administrator' && !isAdministrator(account)) ||
    (!policy.allowsGuests && isGuest(account)) ||
    (!policy.allowsBots && !isPerson) ||
    (!policy.allowsIncomingWebhookBots && name === 'incoming webhook')
  );
}

async function rowsOf(endpoint: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const each of await cases[endpoint]!(world)) {
    const outcomes: Partial<Record<ActorName, string>> = {};
    for (const actor of actors) {
      const outcome = await each.try(actor);
      const closed = isClosed(routes.get(endpoint)!, actor);
      if (closed && outcome.includes('yes')) throw new Error(`It is not closed to ${actor.name}.`);
      outcomes[actor.name] = closed ? 'closed' : outcome;
    }
    rows.push({ route: endpoint, about: each.about, outcomes: outcomes as Row['outcomes'] });
  }
  return rows;
}

it('has every endpoint of the server, and no other', () => {
  expect([...endpoints].sort()).toEqual([...routes.keys()].sort());
  if (isWriting) return;
  expect([...table.endpoints.keys()]).toEqual([...routes.keys()]);
});

/** Some endpoints are tried a thousand times. */
const PATIENCE_MS = 180_000;

it.each(endpoints)(
  '%s',
  async (endpoint) => {
    const newest = await newestEntry(app);
    const rows = await rowsOf(endpoint);
    found.push(...rows);
    const actions = (AUDITED.get(endpoint) ?? []).filter((action) => !action.startsWith('('));
    await expect(recordedSince(app, newest, actions)).resolves.toEqual(actions);
    if (isWriting) return;
    expect(rows).toEqual(table.rows.filter(({ route }) => route === endpoint));
  },
  PATIENCE_MS,
);

afterAll(() => {
  if (!isWriting) return;
  // What was not tried, or could not be, stays as it is.
  const rows = [...routes.keys()].flatMap((endpoint) => {
    const isIts = ({ route }: Row) => route === endpoint;
    return found.some(isIts) ? found.filter(isIts) : table.rows.filter(isIts);
  });
  const facts = [...routes].map(([endpoint, { policy, verb }]) => {
    const recorded = table.endpoints.get(endpoint)?.recorded ?? '';
    const { isRateLimited } = policy;
    const keyScope = keyScopeOf(policy, verb);
    return [endpoint, { serves: who(policy), isRateLimited, keyScope, recorded }] as const;
  });
  writeFileSync(PERMISSION_MATRIX, formatTable({ rows, endpoints: new Map(facts) }));
});

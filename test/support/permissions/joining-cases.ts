import { ResetLinks } from '../../../src/features/membership/password-reset/password-reset.service';
import { Unsubscribing } from '../../../src/features/notifications/missed-mail/unsubscribing.service';
import { AccountDirectory } from '../../../src/features/users/accounts/account.directory';
import { Account } from '../../../src/features/users/accounts/account.entity';
import { Database } from '../../../src/platform/database/database.service';
import type { Answer } from '../api-client';
import { FROM_OWN_PAGE } from '../browser-client';
import { GOOD_PASSWORD, invite, invitesOf, makeLink } from '../invitation-setup';
import { addPerson, type Actor } from './actors';
import type { CaseTable, World } from './case';
import type { Target } from './outcome';
import { on, plain, type MakeTarget } from './plain-cases';

let people = 0;
const newAddress = () => `invited${++people}@example.com`;

type Kind = 'person' | 'link';

/** An invitation created by the actor, or else by the owner. */
async function invitationOf(
  { app }: World,
  kind: Kind,
  inviter: Actor['account'],
  role = 400,
): Promise<Target> {
  const maker = inviter && inviter.role <= 200 ? inviter : app.cast.olivia;
  const parameters = { invite_as: role };
  const link =
    kind === 'link'
      ? await makeLink(app, maker, parameters)
      : await invite(app, maker, newAddress(), parameters);
  const invites = await invitesOf(app, app.cast.olivia);
  const { id } = invites.find(({ link_url }: { link_url: string }) => link_url === link);
  return { id };
}

const targets = (kind: Kind): Readonly<Record<string, MakeTarget>> => ({
  'own, where one can make any': ({ account }, world) => invitationOf(world, kind, account),
  "somebody else's": (_, world) => invitationOf(world, kind, null),
  "an owner's, of an owner": (_, world) => invitationOf(world, kind, null, 100),
});

const page = (
  { client }: Actor,
  method: 'GET' | 'POST',
  link: string,
  form: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  client.send({
    method,
    url: new URL(link, 'http://chat.example.com').pathname,
    ...(method === 'POST' && {
      headers: { ...FROM_OWN_PAGE, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    }),
  });

const NOBODYS_KEY = `/join/${'a'.repeat(40)}/`;
const newcomer = () => ({ full_name: 'New Comer', email: newAddress(), password: GOOD_PASSWORD });

/** The password reset link that a person would get by mail. */
async function resetLink({ app }: World): Promise<string> {
  const { id } = await addPerson(app);
  const account = await app.get(Database).read.repository(Account).findOneByOrFail({ id });
  return app.get(ResetLinks).urlFor(account);
}

const RESET = '/accounts/password/reset';
const NOBODYS_LINK = `${RESET}/1-9999999999-${'a'.repeat(24)}`;
const newPassword = { password: GOOD_PASSWORD };

const UNSUBSCRIBE = '/accounts/unsubscribe/missed_messages';
const NOBODYS_UNSUBSCRIBING = `${UNSUBSCRIBE}/1-${'a'.repeat(24)}`;

function unsubscribing({ app, host }: World): string {
  return app.get(Unsubscribing).urlFor(app.get(AccountDirectory).existing(host.id));
}

export const JOINING_CASES: CaseTable = {
  'GET {site}/accounts/password/reset': plain({
    'where no mail is sent': (actor) => page(actor, 'GET', RESET),
  }),
  'POST {site}/accounts/password/reset': plain({
    'where no mail is sent': (actor, { host }) => page(actor, 'POST', RESET, { email: host.email }),
  }),
  'GET {site}/accounts/password/reset/{reset_token}': plain({
    'with the link': async (actor, world) => page(actor, 'GET', await resetLink(world)),
    'with a link that nobody was given': (actor) => page(actor, 'GET', NOBODYS_LINK),
  }),
  'POST {site}/accounts/password/reset/{reset_token}': plain({
    'with the link': async (actor, world) => page(actor, 'POST', await resetLink(world), newPassword),
    'with a link that nobody was given': (actor) => page(actor, 'POST', NOBODYS_LINK, newPassword),
  }),

  'GET {site}/accounts/unsubscribe/missed_messages/{unsubscribe_token}': plain({
    'with the link': (actor, world) => page(actor, 'GET', unsubscribing(world)),
    'with a link that nobody was given': (actor) => page(actor, 'GET', NOBODYS_UNSUBSCRIBING),
  }),
  'POST {site}/accounts/unsubscribe/missed_messages/{unsubscribe_token}': plain({
    'with the link': (actor, world) => page(actor, 'POST', unsubscribing(world)),
    'with a link that nobody was given': (actor) => page(actor, 'POST', NOBODYS_UNSUBSCRIBING),
  }),

  'GET /invites': plain({ '': ({ client }) => client.get('/invites') }),
  'POST /invites': plain({
    'a member': ({ client }) =>
      client.post('/invites', { invitee_emails: newAddress(), stream_ids: [], invite_as: 400 }),
    'an owner': ({ client }) =>
      client.post('/invites', { invitee_emails: newAddress(), stream_ids: [], invite_as: 100 }),
  }),
  'POST /invites/multiuse': plain({
    'as members': ({ client }) => client.post('/invites/multiuse', { invite_as: 400 }),
    'as owners': ({ client }) => client.post('/invites/multiuse', { invite_as: 100 }),
  }),
  'DELETE /invites/{invite_id}': on(targets('person'), ({ client }, { id }) =>
    client.delete(`/invites/${id}`),
  ),
  'DELETE /invites/multiuse/{invite_id}': on(targets('link'), ({ client }, { id }) =>
    client.delete(`/invites/multiuse/${id}`),
  ),
  'POST /invites/{invite_id}/resend': on(targets('person'), ({ client }, { id }) =>
    client.post(`/invites/${id}/resend`),
  ),
  'GET {site}/join/{invitation_key}': plain({
    'with the link': async (actor, { app }) => page(actor, 'GET', await makeLink(app, app.cast.olivia)),
    'with a key that nobody was given': (actor) => page(actor, 'GET', NOBODYS_KEY),
  }),
  'POST {site}/join/{invitation_key}': plain({
    'with the link': async (actor, { app }) =>
      page(actor, 'POST', await makeLink(app, app.cast.olivia), newcomer()),
    'with a key that nobody was given': (actor) => page(actor, 'POST', NOBODYS_KEY, newcomer()),
  }),
};

import { isOwner, Role } from '../../../src/platform/actor';
import { AccountDirectory } from '../../../src/features/users/accounts/account.directory';
import type { Answer } from '../../support/api-client';
import { PASSWORD, type Member } from '../../support/cast';
import { expectSuccess } from '../../support/expect-answer';
import { GOOD_PASSWORD, invite, invitesOf, join, makeLink } from '../../support/invitation-setup';
import { sendForm } from '../../support/page-setup';
import type { TestApp } from '../../support/test-app';
import { callerOf, done, ground, isDone, slug, stranger, type Races, type Side } from './race';

/** Accepts an invitation as a browser does. */
async function accept(app: TestApp, link: string, email: string): Promise<Answer> {
  const { status, headers } = await join(app, link, { email });
  return { status, headers, body: null };
}

const accountsOf = (app: TestApp, email: string) =>
  app
    .get(AccountDirectory)
    .all()
    .filter(({ deliveryEmail }) => deliveryEmail === email);

/** People: how they come, what they may, and how they go. */
export const PEOPLE_RACES: Races = {
  'accept an invitation, twice': async (app, round) => {
    const email = `invited-${slug(round)}@example.com`;
    const link = await invite(app, app.cast.olivia, email);
    const both: Side = () => accept(app, link, email);
    return [
      both,
      both,
      ({ one, other }) => {
        expect(done([...one, ...other])).toBe(1);
        expect(accountsOf(app, email)).toHaveLength(1);
      },
    ];
  },
  'accept an invitation, and take it back': async (app, round) => {
    const email = `invited-${slug(round)}@example.com`;
    const link = await invite(app, app.cast.olivia, email);
    const { id } = (await invitesOf(app, app.cast.olivia)).find((each: Invite) => each.email === email);
    return [
      () => accept(app, link, email),
      () => app.as(app.cast.olivia).delete(`/invites/${id}`),
      ({ one, other }) => {
        expect(done(one) + done(other)).toBe(1);
        expect(accountsOf(app, email)).toHaveLength(done(one));
      },
    ];
  },
  'accept a link for several, as people of one address': async (app, round) => {
    const email = `linked-${slug(round)}@example.com`;
    const link = await makeLink(app, app.cast.olivia);
    const both: Side = () => accept(app, link, email);
    return [both, both, () => expect(accountsOf(app, email)).toHaveLength(1)];
  },
  'accept an invitation, and deactivate who invited': async (app, round) => {
    const inviter = await stranger(app, round, Role.administrator);
    const email = `invited-${slug(round)}@example.com`;
    const link = await invite(app, inviter, email);
    return [() => accept(app, link, email), () => app.as(app.cast.olivia).delete(`/users/${inviter.id}`)];
  },
  'use a link for a new password, twice': async (app, round) => {
    const who = await stranger(app, round);
    const made = await (await app.companionAs(app.cast.olivia)).post(`/auth/users/${who.id}/password-link`);
    const use: Side = async () => {
      const { status, headers } = await sendForm(app, made.body.url, { password: GOOD_PASSWORD });
      return { status, headers, body: null };
    };
    return [use, use, ({ one, other }) => expect(done([...one, ...other])).toBe(1)];
  },
  'make two people of one address': async (app, round) => {
    const email = `race-${round.replaceAll(' ', '-')}@example.com`;
    const make =
      (by: Member, address: string): Side =>
      (call) =>
        app
          .as(by)
          .post('/users', { email: address, password: 'a lamp in the long night', full_name: `P ${call}` });
    return [
      make(app.cast.olivia, email),
      make(app.cast.olivia, email.toUpperCase().replace('@EXAMPLE.COM', '@example.com')),
    ];
  },
  'take the last owners their roles': async (app, round) => {
    const who = await stranger(app, round);
    expectSuccess(await app.as(app.cast.olivia).patch(`/users/${who.id}`, { role: 100 }));
    return [
      () => app.as(app.cast.olivia).patch(`/users/${who.id}`, { role: 400 }),
      () => app.as(app.cast.olivia).delete(`/users/${who.id}`),
    ];
  },
  'have two owners demote each other': async (app, round) => {
    const two = [
      await stranger(app, `${round} one`, Role.owner),
      await stranger(app, `${round} other`, Role.owner),
    ] as const;
    const demote =
      (by: Member, whom: Member): Side =>
      () =>
        app.as(by).patch(`/users/${whom.id}`, { role: 400 });
    expectSuccess(await app.as(two[0]).patch(`/users/${app.cast.olivia.id}`, { role: 200 }));
    const [one, other] = two;
    return [
      demote(one, other),
      demote(other, one),
      async () => {
        const owners = app
          .get(AccountDirectory)
          .all()
          .filter((each) => each.isActive && isOwner(each));
        expect(owners).toHaveLength(1);
        expectSuccess(await app.as(owners[0]!).patch(`/users/${app.cast.olivia.id}`, { role: 100 }));
        expectSuccess(await app.as(app.cast.olivia).patch(`/users/${owners[0]!.id}`, { role: 400 }));
      },
    ];
  },
  'send to somebody, and deactivate them': async (app, round) => {
    const who = await stranger(app, round);
    return [
      (call) => app.as(callerOf(app, call)).post('/messages', { type: 'direct', to: [who.id], content: 'x' }),
      () => app.as(app.cast.olivia).delete(`/users/${who.id}`),
    ];
  },
  'send, and be deactivated': async (app, round) => {
    const { who, send } = await sender(app, round);
    return [send, () => app.as(app.cast.olivia).delete(`/users/${who.id}`)];
  },
  'send, and be deleted for good': async (app, round) => {
    const { who, send } = await sender(app, round);
    const owner = await app.companionAs(app.cast.olivia);
    return [send, () => owner.delete(`/auth/users/${who.id}`)];
  },
  'deactivate somebody, and bring them back': async (app, round) => {
    const who = await stranger(app, round);
    return [
      () => app.as(app.cast.olivia).delete(`/users/${who.id}`),
      () => app.as(app.cast.adam).post(`/users/${who.id}/reactivate`),
    ];
  },
  'make somebody a guest, and subscribe them': async (app, round) => {
    const { name } = await ground(app, round);
    const who = await stranger(app, round);
    const wanted = { subscriptions: [{ name }], principals: [who.id] };
    return [
      (call) => app.as(app.cast.olivia).patch(`/users/${who.id}`, { role: call % 4 < 2 ? 600 : 400 }),
      () => app.as(app.cast.mia).post('/users/me/subscriptions', wanted),
    ];
  },
  'give two people one address': async (app, round) => {
    const email = `wanted-${slug(round)}@example.com`;
    const give = async (name: string): Promise<Side> => {
      const { id } = await stranger(app, `${round} ${name}`);
      return () => app.as(app.cast.olivia).patch(`/users/${id}`, { new_email: email });
    };
    return [await give('one'), await give('other'), () => expect(accountsOf(app, email)).toHaveLength(1)];
  },
  'make a bot, and deactivate its owner': async (app, round) => {
    const who = await stranger(app, round);
    const person = app.as(who);
    return [
      (call) =>
        person.post('/bots', { full_name: `B ${call} ${round}`, short_name: `b${call}-${slug(round)}` }),
      () => app.as(app.cast.olivia).delete(`/users/${who.id}`),
      () => {
        const left = app
          .get(AccountDirectory)
          .all()
          .filter(({ botOwnerId }) => botOwnerId === who.id);
        expect(left.filter(({ isActive }) => isActive)).toEqual([]);
      },
    ];
  },
  'set a new key, twice': async (app, round) => {
    const who = await stranger(app, round);
    const person = app.as(who);
    const renew: Side = () => person.post('/users/me/api_key/regenerate');
    return [
      renew,
      renew,
      ({ one, other }) => {
        const keys = [...one, ...other].filter(isDone).map(({ body }) => body.api_key);
        expect(keys).toContain(app.credentialsOf(who).apiKey);
      },
    ];
  },
  'sign in, and be deactivated': async (app, round) => {
    const who = await stranger(app, round);
    return [
      () => app.client().post('/fetch_api_key', { username: who.email, password: PASSWORD }),
      () => app.as(app.cast.olivia).delete(`/users/${who.id}`),
    ];
  },
};

type Invite = { readonly email: string };

/** Somebody who writes into a channel. */
async function sender(app: TestApp, round: string) {
  const { name, channel } = await ground(app, round);
  const who = await stranger(app, round);
  const person = app.as(who);
  expectSuccess(await person.post('/users/me/subscriptions', { subscriptions: [{ name }] }));
  const message = { type: 'channel', to: channel, topic: 'topic' };
  const send: Side = (call) => person.post('/messages', { ...message, content: `${call}` });
  return { who, send };
}

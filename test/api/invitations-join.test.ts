import { Role } from '../../src/platform/actor';
import { InvitationExpiry } from '../../src/features/membership/invitations/invitation-end.service';
import { SecretLinks } from '../../src/platform/secrets/secret-links';
import type { Parameters } from '../support/api-client';
import { AuditReader } from '../support/audit-setup';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { makeGroup, systemGroupId } from '../support/group-setup';
import { GOOD_PASSWORD, invite, invitesOf, join, makeLink } from '../support/invitation-setup';
import { openPage } from '../support/page-setup';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';

let app: TestApp;
const clock = new OffsetClock();

beforeAll(async () => {
  app = await TestApp.start({ clock });
});

afterAll(() => app.stop());

/** Signs in with the password, as a client does. */
async function signIn(email: string, password = GOOD_PASSWORD): Promise<Member> {
  const answer = await app.client().post('/fetch_api_key', { username: email, password });
  const { user_id: id } = expectSuccess(answer);
  const { user } = expectSuccess(await app.as(app.cast.olivia).get(`/users/${id}`));
  return { id, email, fullName: user.full_name, role: user.role };
}

const subscriptionsOf = async (member: Member): Promise<string[]> =>
  expectSuccess(await app.as(member).get('/users/me/subscriptions')).subscriptions.map(
    ({ name }: { name: string }) => name,
  );

/** What a bot of the system has written to somebody. */
async function noticesFor(member: Member, bot = 'notification-bot'): Promise<string[]> {
  const narrow = [
    { operator: 'sender', operand: `${bot}@zulip.com` },
    { operator: 'is', operand: 'dm' },
  ];
  const request = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false };
  const { messages } = expectSuccess(await app.as(member).get('/messages', request));
  return messages.map(({ content }: { content: string }) => content);
}

const OVER = 'This invitation has expired';
const UNKNOWN = 'Invitation not found';

describe('Somebody who is invited', () => {
  it('sets a name and a password, and comes into channels and groups', async () => {
    const { olivia, adam, mia } = app.cast;
    const chosen = await createChannelWith(app, adam, [], 'chosen', { invite_only: true });
    const standard = await createChannelWith(app, adam, [], 'standard');
    expectSuccess(await app.as(adam).post('/default_streams', { stream_id: standard }));
    const can_add_members_group = systemGroupId(app, 'role:administrators');
    const group = await makeGroup(app, olivia, 'newcomers', { can_add_members_group });
    const link = await invite(app, adam, 'Nora@EXAMPLE.com', {
      stream_ids: [chosen],
      group_ids: [group],
      include_realm_default_subscriptions: true,
      invite_as: Role.moderator,
    });
    const { html, status } = await openPage(app, link);
    expect(status).toBe(200);
    expect(html).toContain('Adam Administrator has invited you');
    expect(html).toMatch(/value="Nora@EXAMPLE\.com"\s+readonly/);
    const audit = await AuditReader.of(app);
    let joined;
    const events = await app.captureEvents(async () => {
      joined = await join(app, link);
    });
    expect(joined).toMatchObject({ status: 302 });
    const news = await audit.news();
    const nora = await signIn('nora@example.com');
    expect(nora).toMatchObject({ fullName: 'Nora Newcomer', role: Role.moderator });
    await expect(subscriptionsOf(nora)).resolves.toEqual(['chosen', 'general', 'standard']);
    const { members } = expectSuccess(await app.as(mia).get(`/user_groups/${group}/members`));
    expect(members).toContain(nora.id);
    const kinds = events.map(({ event }) => [event.type, event.op].filter(Boolean).join(' '));
    expect(kinds).toEqual(
      expect.arrayContaining([
        'realm_user add',
        'user_group add_members',
        'subscription peer_add',
        'invites_changed',
      ]),
    );
    await expect(noticesFor(adam)).resolves.toEqual([
      `@_**Nora Newcomer|${nora.id}** accepted your invitation.`,
    ]);
    await expect(noticesFor(nora)).resolves.toEqual([]);
    expect(news).toEqual([
      expect.objectContaining({
        action: 'group.member_added',
        way: 'server',
        actor_id: null,
        target_id: group,
        target_user_id: nora.id,
      }),
      expect.objectContaining({
        action: 'user.created',
        way: 'main',
        actor_id: null,
        target_user_id: nora.id,
        details: { role: Role.moderator, invitation: expect.any(Number) },
      }),
      expect.objectContaining({ action: 'user.signed_in', actor_id: nora.id, target_user_id: nora.id }),
    ]);
    expect((await openPage(app, link)).html).toContain(OVER);
    await expect(invitesOf(app, olivia)).resolves.toEqual([]);
  });

  it('begins as those do whom administrators make, without channels nobody chose', async () => {
    const { olivia, adam } = app.cast;
    expectSuccess(await app.as(olivia).patch('/realm/user_settings_defaults', { enter_sends: true }));
    const link = await invite(app, adam, 'ole@example.com', { notify_referrer_on_join: false });
    const before = await noticesFor(adam);
    expect(await join(app, link, { full_name: ' Ole  Newcomer ' })).toMatchObject({ status: 302 });
    const ole = await signIn('ole@example.com');
    expect(ole).toMatchObject({ fullName: 'Ole Newcomer', role: Role.member });
    await expect(subscriptionsOf(ole)).resolves.toEqual([]);
    const state = await app.as(ole).post('/register', { fetch_event_types: ['user_settings'] });
    expect(expectSuccess(state).user_settings.enter_sends).toBe(true);
    await expect(noticesFor(adam)).resolves.toEqual(before);
  });

  it('is welcomed in the words of the inviter, where there are any', async () => {
    const { olivia, adam } = app.cast;
    expectSuccess(await app.as(olivia).patch('/realm', { welcome_message_custom_text: 'Hello all' }));
    const welcomeOf = async (email: string, parameters: Parameters) => {
      expect(await join(app, await invite(app, adam, email, parameters))).toMatchObject({ status: 302 });
      return (await noticesFor(await signIn(email), 'welcome-bot')).slice(1).join();
    };
    await expect(welcomeOf('ann@example.com', {})).resolves.toContain('Hello all');
    const own = { welcome_message_custom_text: 'Hello you' };
    await expect(welcomeOf('ben@example.com', own)).resolves.toContain('Hello you');
    await expect(welcomeOf('cleo@example.com', { welcome_message_custom_text: '' })).resolves.toBe('');
    expectSuccess(await app.as(olivia).patch('/realm', { welcome_message_custom_text: '' }));
  });

  it('may choose default channel groups, unless they become a guest', async () => {
    const { olivia, adam } = app.cast;
    const names = ['bread', 'soup', 'cake'];
    for (const name of names) await createChannelWith(app, olivia, [], name);
    const groups = { Kitchen: names.slice(0, 2), '<i>Bakery': names.slice(2) };
    for (const [group_name, stream_names] of Object.entries(groups)) {
      const group = { group_name, description: `All of ${group_name}`, stream_names };
      expectSuccess(await app.as(olivia).post('/default_stream_groups/create', group));
    }
    const { realm_default_stream_groups } = expectSuccess(
      await app.as(olivia).post('/register', { fetch_event_types: ['default_stream_groups'] }),
    );
    const fields = Object.fromEntries(
      realm_default_stream_groups.map(({ id, name }: { id: number; name: string }) => [
        name,
        `channels_${id}`,
      ]),
    );
    const link = await makeLink(app, adam);
    const { html } = await openPage(app, link);
    expect(html).toContain('All of &lt;i&gt;Bakery');
    expect(html).not.toContain('checked');
    const chosen = { [fields.Kitchen]: '1', channels_99999: '1', channels_x: '1' };
    const refused = await join(app, link, { email: 'dan@example.com', password: 'x', ...chosen });
    expect(refused.html).toMatch(new RegExp(`name="${fields.Kitchen}" value="1"\\s+checked`));
    expect(await join(app, link, { email: 'dan@example.com', ...chosen })).toMatchObject({ status: 302 });
    await expect(subscriptionsOf(await signIn('dan@example.com'))).resolves.toEqual(['bread', 'soup']);
    const forGuests = await makeLink(app, adam, { invite_as: Role.guest });
    expect((await openPage(app, forGuests)).html).not.toContain('Kitchen');
    expect(await join(app, forGuests, { email: 'eli@example.com', ...chosen })).toMatchObject({
      status: 302,
    });
    await expect(subscriptionsOf(await signIn('eli@example.com'))).resolves.toEqual([]);
  });

  it('uses up all invitations of the address, whichever it was', async () => {
    const { olivia, adam } = app.cast;
    const links = [await invite(app, adam, 'pia@example.com'), await invite(app, olivia, 'PIA@example.com')];
    expect(await join(app, links[1]!)).toMatchObject({ status: 302 });
    for (const link of links) expect(await openPage(app, link)).toMatchObject({ status: 404 });
  });

  it('finds it over where they have an account by other means', async () => {
    const { olivia, adam } = app.cast;
    const link = await invite(app, adam, 'Petra@example.com');
    await app.addAccount({ deliveryEmail: 'petra@example.com', fullName: 'Petra', role: Role.member });
    expect((await openPage(app, link)).html).toContain(OVER);
    expect(await join(app, link)).toMatchObject({ status: 404 });
    const emails = (await invitesOf(app, olivia)).map(({ email }: { email?: string }) => email);
    expect(emails).not.toContain('Petra@example.com');
  });

  it('comes in once, however often the form is sent at the same time', async () => {
    const { adam } = app.cast;
    const link = await invite(app, adam, 'quin@example.com');
    const names = ['Quin One', 'Quin Two', 'Quin Three'];
    const pages = await Promise.all(names.map((full_name) => join(app, link, { full_name })));
    expect(pages.map(({ status }) => status).sort()).toEqual([302, 404, 404]);
    const { members } = expectSuccess(await app.as(adam).get('/users'));
    expect(members.filter(({ full_name }: { full_name: string }) => names.includes(full_name))).toHaveLength(
      1,
    );
  });

  it.each<[string, Parameters]>([
    ['Name too short!', { full_name: 'x' }],
    ['Invalid characters in name!', { full_name: 'Eve*Evil' }],
    ['The password is too weak.', { password: 'password' }],
    ['The password is too weak.', { password: '' }],
    ['The password is too weak.', { full_name: 'Quinn Quill', password: 'Quinn.Quill!1' }],
    ['The password is too weak.', { email: 'nightingale@example.com', password: 'nightingale-2026' }],
    ['Email is already in use.', { email: 'mia@example.com' }],
    ['Enter a valid email address.', { email: 'nobody' }],
    ['full_name is too long', { full_name: 'x'.repeat(401) }],
  ])('is told %j and may try again', async (problem, fields) => {
    const link = await makeLink(app, app.cast.adam);
    const { status, html } = await join(app, link, { email: 'rose@example.com', ...fields });
    expect(status).toBe(400);
    expect(html).toContain(problem);
    expect(html).not.toContain(GOOD_PASSWORD);
    if (problem === 'full_name is too long') return;
    expect(html).toContain('<form method="post">');
    expect(html).toContain(`value="${(fields.email as string | undefined) ?? 'rose@example.com'}"`);
  });

  it('cannot put markup into the page', async () => {
    const link = await makeLink(app, app.cast.adam);
    const { html } = await join(app, link, { full_name: '"><script>alert(1)</script>', email: '<b>"' });
    expect(html).not.toMatch(/<script|<b>/);
    expect(html).toContain('&quot;&gt;&lt;script&gt;');
  });
});

describe('A link for several people', () => {
  it('lets them in one after the other, until it is revoked', async () => {
    const { adam } = app.cast;
    const link = await makeLink(app, adam, { invite_as: Role.guest });
    expect((await openPage(app, link)).html).toMatch(/name="email"\s+type="email"/);
    for (const email of ['sue@example.com', 'tom@example.com']) {
      expect(await join(app, link, { email })).toMatchObject({ status: 302 });
      expect((await signIn(email)).role).toBe(Role.guest);
    }
    const [{ id }] = (await invitesOf(app, adam)).filter(
      ({ link_url }: { link_url: string }) => link_url === link,
    );
    expectSuccess(await app.as(adam).delete(`/invites/multiuse/${id}`));
    expect(await join(app, link, { email: 'uli@example.com' })).toMatchObject({ status: 404 });
    expect((await openPage(app, link)).html).toContain(OVER);
  });

  it('takes the address in the form only where the invitation has none', async () => {
    const link = await invite(app, app.cast.adam, 'vera@example.com');
    expect(await join(app, link, { email: 'other@example.com' })).toMatchObject({ status: 302 });
    expect(await signIn('vera@example.com')).toMatchObject({ fullName: 'Nora Newcomer' });
  });
});

describe('An invitation that cannot be used', () => {
  it('is unknown where the key is wrong, cut or of another server', async () => {
    const link = await makeLink(app, app.cast.adam);
    const other = SecretLinks.newNonce() + link.slice(-25, -1);
    const wrong = [
      link.replace(/.\/$/, (end) => (end.startsWith('a') ? 'b/' : 'a/')),
      link.slice(0, -3),
      `/join/${other}/`,
      '/join/',
      `/join/${'a'.repeat(40)}/more/`,
      '/join/%00',
    ];
    for (const each of wrong) {
      const { status, html } = await openPage(app, each);
      expect([each, status, html]).toEqual([each, 404, expect.stringContaining(UNKNOWN)]);
      expect(await join(app, each, { email: 'wim@example.com' })).toMatchObject({ status: 404 });
    }
    expect(await openPage(app, link.slice(0, -1))).toMatchObject({ status: 200 });
  });

  it('is over when its time has passed, and forgotten a month later', async () => {
    const link = await invite(app, app.cast.adam, 'xeno@example.com', { invite_expires_in_minutes: 60 });
    clock.aheadMs += 3_600_000 + 1_000;
    expect((await join(app, link)).html).toContain(OVER);
    clock.aheadMs += 29 * 86_400_000;
    await app.get(InvitationExpiry).deleteOld();
    expect((await openPage(app, link)).html).toContain(OVER);
    clock.aheadMs += 2 * 86_400_000;
    await app.get(InvitationExpiry).deleteOld();
    expect((await openPage(app, link)).html).toContain(UNKNOWN);
  });

  it('is over when the inviter leaves or could not give the role any more', async () => {
    const { olivia } = app.cast;
    const ivo = await app.addAccount({
      deliveryEmail: 'ivo@example.com',
      fullName: 'Ivo Inviter',
      role: Role.administrator,
    });
    const asModerator = await makeLink(app, ivo, { invite_as: Role.moderator });
    const asMember = await makeLink(app, ivo);
    expectSuccess(await app.as(olivia).patch(`/users/${ivo.id}`, { role: Role.member }));
    expect(await openPage(app, asModerator)).toMatchObject({ status: 404 });
    expect(await openPage(app, asMember)).toMatchObject({ status: 200 });
    expectSuccess(await app.as(olivia).patch(`/users/${ivo.id}`, { role: Role.guest }));
    const other = await join(app, asMember, { email: 'ivo.again@example.com' });
    expect(other).toMatchObject({ status: 404, html: expect.stringContaining(OVER) });
    expectSuccess(await app.as(olivia).patch(`/users/${ivo.id}`, { role: Role.member }));
    expect(await openPage(app, asMember)).toMatchObject({ status: 200 });
    expectSuccess(await app.as(olivia).delete(`/users/${ivo.id}`));
    expect(await openPage(app, asMember)).toMatchObject({ status: 404 });
  });

  it('leads nowhere that the inviter cannot reach any more', async () => {
    const { olivia, max } = app.cast;
    const members = { new: systemGroupId(app, 'role:members') };
    expectSuccess(await app.as(olivia).patch('/realm', { create_multiuse_invite_group: members }));
    const secret = await createChannelWith(app, olivia, [max], 'secret', { invite_only: true });
    const group = await makeGroup(app, olivia, 'movers', { can_add_members_group: members.new });
    const link = await makeLink(app, max, { stream_ids: [secret], group_ids: [group] });
    expectSuccess(await app.as(max).delete('/users/me/subscriptions', { subscriptions: ['secret'] }));
    const nobody = { new: systemGroupId(app, 'role:nobody') };
    expectSuccess(await app.as(olivia).patch(`/user_groups/${group}`, { can_add_members_group: nobody }));
    expect(await join(app, link, { email: 'yves@example.com' })).toMatchObject({ status: 302 });
    const yves = await signIn('yves@example.com');
    await expect(subscriptionsOf(yves)).resolves.toEqual([]);
    const answer = await app.as(olivia).get(`/user_groups/${group}/members`);
    expect(expectSuccess(answer).members).not.toContain(yves.id);
  });
});

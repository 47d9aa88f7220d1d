import type { SystemGroupName } from '../../src/features/organization-settings/organization-settings';
import { Role } from '../../src/platform/actor';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { makeGroup, systemGroupId } from '../support/group-setup';
import { stateOf } from '../support/initial-state';
import { invite, invitesOf, makeLink } from '../support/invitation-setup';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';

let app: TestApp;
const clock = new OffsetClock();

beforeAll(async () => {
  app = await TestApp.start({ clock });
});

afterAll(() => app.stop());

const nowSeconds = () => Math.floor(clock.nowMs() / 1000);
const inviteAs = (member: Member, parameters: Parameters = {}) =>
  app.as(member).post('/invites', { invitee_emails: 'new@example.com', stream_ids: [], ...parameters });
const linkAs = (member: Member, parameters: Parameters = {}) =>
  app.as(member).post('/invites/multiuse', parameters);
const allow = async (setting: string, group: SystemGroupName) => {
  const change = { [setting]: { new: systemGroupId(app, group) } };
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', change));
};
const failed = (errors: unknown[], more: Parameters = {}) => ({
  code: 'INVITATION_FAILED',
  data: {
    errors,
    sent_invitations: false,
    license_limit_reached: false,
    daily_limit_reached: false,
    ...more,
  },
});

const NEEDS_ADMINISTRATOR = 'Must be an organization administrator';
const NEEDS_OWNER = 'Must be an organization owner';
const UNAUTHORIZED = { code: 'UNAUTHORIZED_PRINCIPAL' };
const NO_ID = 1_999_999_999;

describe('Invitations of people', () => {
  it('are made, listed and told to administrators and the inviter', async () => {
    const { olivia, adam } = app.cast;
    const before = nowSeconds();
    let link = '';
    const events = await app.captureEvents(async () => {
      link = await invite(app, adam, 'ada@example.com', { invite_as: Role.guest });
    });
    expect(link).toMatch(/^http:\/\/chat\.example\.com\/join\/[a-z2-7]{40}\/$/);
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'invites_changed' }, [olivia.id, adam.id].sort((a, b) => a - b)],
    ]);
    const [record, ...others] = await invitesOf(app, olivia);
    expect(others).toEqual([]);
    expect(record).toEqual({
      id: expect.any(Number),
      invited_by_user_id: adam.id,
      invited: expect.any(Number),
      expiry_date: record.invited + 14_400 * 60,
      invited_as: Role.guest,
      is_multiuse: false,
      email: 'ada@example.com',
      notify_referrer_on_join: true,
      link_url: link,
    });
    expect(record.invited).toBeGreaterThanOrEqual(before);
    const revoked = await app.captureEvents(async () => {
      expectSuccess(await app.as(olivia).delete(`/invites/${record.id}`));
    });
    expect(revoked.map(({ event }) => event)).toEqual([{ type: 'invites_changed' }]);
    await expect(invitesOf(app, adam)).resolves.toEqual([]);
    expectError(await app.as(olivia).delete(`/invites/${record.id}`), 'No such invitation');
  });

  it('take several addresses, with names and line ends, each once', async () => {
    const { adam } = app.cast;
    const text = 'Bea <bea@example.com>, carl@example.com\n BEA@example.com,,\n';
    const { invite_links } = expectSuccess(
      await inviteAs(adam, {
        invitee_emails: text,
        invite_expires_in_minutes: null,
        notify_referrer_on_join: false,
      }),
    );
    expect(invite_links.map(({ email }: { email: string }) => email)).toEqual([
      'bea@example.com',
      'carl@example.com',
    ]);
    const records = await invitesOf(app, adam);
    for (const record of records) {
      expect(record).toMatchObject({ expiry_date: null, notify_referrer_on_join: false, invited_as: 400 });
      expectSuccess(await app.as(adam).delete(`/invites/${record.id}`));
    }
    expect(records).toHaveLength(2);
  });

  it('are refused for addresses that are invalid, and then nobody is invited', async () => {
    const { adam, mia } = app.cast;
    const answer = await inviteAs(adam, {
      invitee_emails: `nobody, dora@example.com, dora@mailinator.com, ${mia.email}`,
    });
    expectError(
      answer,
      "Some emails did not validate, so we didn't send any invitations.",
      failed([
        ['nobody', 'Invalid address.', false],
        ['dora@mailinator.com', 'Please use your real email address.', false],
        [mia.email, 'Already has an account.', false],
      ]),
    );
    await expect(invitesOf(app, adam)).resolves.toEqual([]);
  });

  it('are not made for those who have accounts, and the others are invited', async () => {
    const { olivia, adam, mia } = app.cast;
    const gone = await app.addAccount({
      deliveryEmail: 'gone@example.com',
      fullName: 'Gone',
      role: Role.member,
    });
    expectSuccess(await app.as(olivia).delete(`/users/${gone.id}`));
    const errors = [
      [mia.email.toUpperCase(), 'Already has an account.', false],
      ['gone@example.com', 'Account has been deactivated.', true],
    ];
    const text = errors.map(([email]) => email).join(',');
    expectError(
      await inviteAs(adam, { invitee_emails: text }),
      "We weren't able to invite anyone.",
      failed(errors),
    );
    expectError(
      await inviteAs(adam, { invitee_emails: `${text},emil@example.com` }),
      "Some of those addresses are already using Zulip, so we didn't send them an invitation. We did send invitations to everyone else!",
      failed(errors, { sent_invitations: true }),
    );
    const [record] = await invitesOf(app, adam);
    expect(record.email).toBe('emil@example.com');
    expectSuccess(await app.as(adam).delete(`/invites/${record.id}`));
  });

  it('are not made for system bots, and the others are invited', async () => {
    const { adam } = app.cast;
    const bot = 'welcome-bot@zulip.com';
    const errors = [[bot, 'Reserved for system bots.', false]];
    expectError(
      await inviteAs(adam, { invitee_emails: bot }),
      "We weren't able to invite anyone.",
      failed(errors),
    );
    expectError(
      await inviteAs(adam, { invitee_emails: `${bot}, emma@example.com` }),
      "Some of those addresses are already using Zulip, so we didn't send them an invitation. We did send invitations to everyone else!",
      failed(errors, { sent_invitations: true }),
    );
    const [record] = await invitesOf(app, adam);
    expect(record.email).toBe('emma@example.com');
    expectSuccess(await app.as(adam).delete(`/invites/${record.id}`));
  });

  it('are asked for in texts of bounded length', async () => {
    const { adam } = app.cast;
    expectError(
      await inviteAs(adam, { invitee_emails: ','.repeat(200_001) }),
      'invitee_emails is too long (limit: 200000 characters)',
    );
    expectError(
      await inviteAs(adam, { invitee_emails: ','.repeat(200_000) }),
      'You must specify at least one email address.',
    );
    // No further addresses are looked for than are too many.
    const found = jest.spyOn(String.prototype, 'toLowerCase');
    await inviteAs(adam, {
      invitee_emails: Array.from({ length: 50_000 }, (_, at) => at.toString(36)).join(),
    });
    expect(found.mock.calls.length).toBeLessThan(10_000);
    found.mockRestore();
  });

  it('need addresses, and not too many at once', async () => {
    const { adam } = app.cast;
    for (const invitee_emails of ['', ' , \n']) {
      expectError(await inviteAs(adam, { invitee_emails }), 'You must specify at least one email address.');
    }
    const many = Array.from({ length: 501 }, (_, index) => `p${index}@example.com`).join(',');
    expectError(await inviteAs(adam, { invitee_emails: many }), 'You can invite at most 500 people at once.');
  });

  it.each<[string, Parameters]>([
    ['Invalid invite_as: Value error, Not in the list of possible values', { invite_as: 500 }],
    ['invite_as is not an integer', { invite_as: 400.5 }],
    ['invite_expires_in_minutes is too small', { invite_expires_in_minutes: 0 }],
    ['stream_ids is not a list', { stream_ids: 7 }],
    [`Invalid channel ID ${NO_ID}. No invites were sent.`, { stream_ids: [NO_ID] }],
    ['Invalid user group', { group_ids: [NO_ID] }],
    [
      'welcome_message_custom_text is too long (limit: 8000 characters)',
      { welcome_message_custom_text: 'x'.repeat(8001) },
    ],
  ])('are refused with %j', async (message, parameters) => {
    expectError(await inviteAs(app.cast.olivia, parameters), message);
  });

  it('cannot be mailed again where the server sends no mail', async () => {
    const { adam } = app.cast;
    await invite(app, adam, 'finn@example.com');
    const [{ id }] = await invitesOf(app, adam);
    expectError(
      await app.as(adam).post(`/invites/${id}/resend`),
      'This server does not send email. Share the invitation link yourself.',
    );
    expectError(await app.as(adam).post(`/invites/${NO_ID}/resend`), 'No such invitation');
    expectSuccess(await app.as(adam).delete(`/invites/${id}`));
  });
});

describe('Who may invite', () => {
  const widen = async (group: SystemGroupName) => {
    await allow('can_invite_users_group', group);
    await allow('create_multiuse_invite_group', group);
  };

  beforeAll(() => widen('role:members'));
  afterAll(() => widen('role:administrators'));

  it('are administrators, unless owners widen it', async () => {
    const { olivia, adam, mona, mia } = app.cast;
    await widen('role:administrators');
    const mayInvite = async (member: Member) => (await stateOf(app, member)).can_invite_others_to_realm;
    expect(await Promise.all([olivia, adam, mona, mia].map(mayInvite))).toEqual([true, true, false, false]);
    for (const member of [mona, mia]) {
      expectError(await inviteAs(member), 'Insufficient permission');
      expectError(await linkAs(member), 'Insufficient permission');
    }
    const change = { can_invite_users_group: { new: systemGroupId(app, 'role:members') } };
    expectError(await app.as(adam).patch('/realm', change), NEEDS_OWNER, UNAUTHORIZED);
    await widen('role:members');
    expect(await mayInvite(mia)).toBe(true);
    expect(await mayInvite(app.cast.gus)).toBe(false);
    expect(await mayInvite(app.cast.robo)).toBe(false);
  });

  it('are people who are no guests', async () => {
    const { gus, robo } = app.cast;
    for (const call of [inviteAs, linkAs, (member: Member) => app.as(member).get('/invites')]) {
      expectError(await call(gus), 'Not allowed for guest users');
      expectError(await call(robo), 'This endpoint does not accept bot requests.');
    }
  });

  it('give no role that administrators alone may give', async () => {
    const { adam, mona, mia } = app.cast;
    for (const call of [inviteAs, linkAs]) {
      expectError(await call(mona, { invite_as: Role.owner }), NEEDS_OWNER, UNAUTHORIZED);
      expectError(await call(adam, { invite_as: Role.owner }), NEEDS_OWNER, UNAUTHORIZED);
      expectError(await call(mia, { invite_as: Role.owner }), NEEDS_OWNER, UNAUTHORIZED);
      for (const invite_as of [Role.administrator, Role.moderator]) {
        expectError(await call(mona, { invite_as }), NEEDS_ADMINISTRATOR);
        expectError(await call(mia, { invite_as }), NEEDS_ADMINISTRATOR);
      }
      expectError(await call(mia, { welcome_message_custom_text: 'Hello' }), NEEDS_ADMINISTRATOR);
    }
  });

  it('invite to channels and groups where they could add people', async () => {
    const { olivia, mia, max } = app.cast;
    const closed = await createChannelWith(app, max, [], 'closed', { invite_only: true });
    const open = await createChannelWith(app, max, [], 'open');
    const group = await makeGroup(app, olivia, 'keepers');
    for (const call of [inviteAs, linkAs]) {
      expectError(
        await call(mia, { stream_ids: [closed] }),
        `Invalid channel ID ${closed}. No invites were sent.`,
      );
      expectError(await call(mia, { group_ids: [group] }), 'Insufficient permission');
      await allow('can_add_subscribers_group', 'role:moderators');
      expectError(
        await call(mia, { stream_ids: [open] }),
        'You do not have permission to subscribe other users to channels.',
      );
      expectSuccess(await app.as(olivia).post('/default_streams', { stream_id: open }));
      expectSuccess(await call(mia, { stream_ids: [open], invitee_emails: 'gil@example.com' }), {
        ...(call === linkAs && { ignored: ['invitee_emails'] }),
      });
      expectSuccess(await app.as(olivia).delete('/default_streams', { stream_id: open }));
      await allow('can_add_subscribers_group', 'role:members');
    }
    for (const { id, is_multiuse } of await invitesOf(app, mia)) {
      expectSuccess(await app.as(mia).delete(is_multiuse ? `/invites/multiuse/${id}` : `/invites/${id}`));
    }
  });

  it('see and revoke their own, and administrators those of all but owners', async () => {
    const { olivia, adam, mia, max } = app.cast;
    await invite(app, mia, 'hal@example.com');
    await makeLink(app, mia);
    const ownerLink = await invite(app, olivia, 'ida@example.com', { invite_as: Role.owner });
    const ownerMultiuse = await makeLink(app, olivia, { invite_as: Role.owner });
    const seenBy = async (member: Member) => (await invitesOf(app, member)) as Parameters[];
    expect((await seenBy(mia)).map(({ is_multiuse }) => is_multiuse)).toEqual([false, true]);
    expect(await seenBy(max)).toEqual([]);
    const all = await seenBy(olivia);
    expect(all.map(({ link_url }) => link_url)).toEqual(
      expect.arrayContaining([ownerLink, ownerMultiuse, ...(await seenBy(mia)).map((one) => one.link_url)]),
    );
    expect(all).toHaveLength(4);
    // Whoever had one of these links could become an owner.
    const byAdam = await seenBy(adam);
    expect(byAdam).toHaveLength(3);
    expect(JSON.stringify(byAdam)).not.toContain(ownerLink);
    expect(JSON.stringify(byAdam)).not.toContain(ownerMultiuse);

    const pathOf = ({ id, is_multiuse }: Parameters) => (is_multiuse ? `multiuse/${Number(id)}` : String(id));
    const ofOwner = all.filter(({ invited_as }) => invited_as === Role.owner).map(pathOf);
    const ofMia = (await seenBy(mia)).map(pathOf);
    expect(ofOwner).toHaveLength(2);
    for (const path of ofOwner) {
      expectError(await app.as(adam).delete(`/invites/${path}`), NEEDS_OWNER, UNAUTHORIZED);
    }
    for (const path of [...ofOwner, ...ofMia]) {
      expectError(await app.as(max).delete(`/invites/${path}`), NEEDS_ADMINISTRATOR);
      if (!path.startsWith('multiuse')) {
        expectError(await app.as(max).post(`/invites/${path}/resend`), NEEDS_ADMINISTRATOR);
      }
    }
    for (const path of ofMia) expectSuccess(await app.as(adam).delete(`/invites/${path}`));
    for (const path of ofOwner) expectSuccess(await app.as(olivia).delete(`/invites/${path}`));
    expect(await seenBy(olivia)).toEqual([]);
  });
});

describe('Links for several people', () => {
  it('are made, listed and revoked once', async () => {
    const { adam } = app.cast;
    const link = await makeLink(app, adam, { invite_expires_in_minutes: 5, invite_as: Role.moderator });
    const [record] = await invitesOf(app, adam);
    expect(record).toEqual({
      id: expect.any(Number),
      invited_by_user_id: adam.id,
      invited: expect.any(Number),
      expiry_date: record.invited + 300,
      invited_as: Role.moderator,
      is_multiuse: true,
      link_url: link,
    });
    expectError(await app.as(adam).delete(`/invites/${record.id}`), 'No such invitation');
    expectError(await app.as(adam).delete(`/invites/multiuse/${NO_ID}`), 'No such invitation');
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(adam).delete(`/invites/multiuse/${record.id}`));
    });
    expect(events.map(({ event }) => event)).toEqual([{ type: 'invites_changed' }]);
    expectError(
      await app.as(adam).delete(`/invites/multiuse/${record.id}`),
      'Invitation has already been revoked',
    );
  });
});

describe('Invitations whose time is over', () => {
  it('are listed no longer', async () => {
    const { adam } = app.cast;
    await invite(app, adam, 'jon@example.com', { invite_expires_in_minutes: 10 });
    await makeLink(app, adam, { invite_expires_in_minutes: 10 });
    await expect(invitesOf(app, adam)).resolves.toHaveLength(2);
    clock.aheadMs += 10 * 60_000 + 1_000;
    await expect(invitesOf(app, adam)).resolves.toEqual([]);
  });

  it('lapse when the inviter is deactivated, for good, and rest while the role is lost', async () => {
    const { olivia, adam } = app.cast;
    const anna = await app.addAccount({
      deliveryEmail: 'anna@example.com',
      fullName: 'Anna Administrator',
      role: Role.administrator,
    });
    await invite(app, anna, 'kai@example.com', { invite_as: Role.moderator });
    await makeLink(app, anna);
    const setRole = async (role: Role) =>
      expectSuccess(await app.as(olivia).patch(`/users/${anna.id}`, { role }));
    const seen = async () => (await invitesOf(app, olivia)).length;
    await expect(seen()).resolves.toBe(2);
    await setRole(Role.member);
    await expect(seen()).resolves.toBe(1);
    await setRole(Role.administrator);
    await expect(seen()).resolves.toBe(2);
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(olivia).delete(`/users/${anna.id}`));
    });
    expect(
      events.filter(({ event }) => event.type === 'invites_changed').map(({ audience }) => audience),
    ).toEqual([[olivia.id, adam.id].sort((a, b) => a - b)]);
    await expect(seen()).resolves.toBe(0);
    expectSuccess(await app.as(olivia).post(`/users/${anna.id}/reactivate`));
    await expect(seen()).resolves.toBe(0);
  });
});

import type { Parameters } from './api-client';
import type { Member } from './cast';
import { expectSuccess } from './expect-answer';
import { sendForm } from './page-setup';
import type { TestApp } from './test-app';

/** A sufficiently strong password. */
export const GOOD_PASSWORD = 'seven grey herons wade';

/** Invites one person on a server without mail. @returns the link */
export async function invite(
  app: TestApp,
  inviter: Member,
  email: string,
  parameters: Parameters = {},
): Promise<string> {
  const { invite_links } = expectSuccess(
    await app.as(inviter).post('/invites', { invitee_emails: email, stream_ids: [], ...parameters }),
  );
  expect(invite_links).toEqual([{ email, link_url: expect.any(String) }]);
  return invite_links[0].link_url;
}

/** Creates an invitation link for several people. */
export async function makeLink(app: TestApp, inviter: Member, parameters: Parameters = {}): Promise<string> {
  return expectSuccess(await app.as(inviter).post('/invites/multiuse', parameters)).invite_link;
}

/** Lists the invitations visible to a person. */
export async function invitesOf(app: TestApp, member: Member) {
  return expectSuccess(await app.as(member).get('/invites')).invites;
}

/** Submits the form of an invitation. */
export const join = (app: TestApp, link: string, fields: Parameters = {}) =>
  sendForm(app, link, { full_name: 'Nora Newcomer', password: GOOD_PASSWORD, ...fields });

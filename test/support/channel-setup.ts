import type { Parameters } from './api-client';
import type { Member } from './cast';
import { expectSuccess } from './expect-answer';
import { makeGroup } from './group-setup';
import type { TestApp } from './test-app';

/** Creates a channel as a person, who is subscribed unless `principals` says otherwise. @returns its ID */
export async function createChannel(
  app: TestApp,
  creator: Member,
  name: string,
  options: Parameters = {},
): Promise<number> {
  expectSuccess(
    await app.as(creator).post('/users/me/subscriptions', { subscriptions: [{ name }], ...options }),
  );
  return channelId(app, name);
}

/** Creates a channel as a person, with these additional subscribers. @returns its ID */
export function createChannelWith(
  app: TestApp,
  creator: Member,
  people: readonly Member[],
  name: string,
  options: Parameters = {},
): Promise<number> {
  const principals = [creator, ...people].map(({ id }) => id);
  return createChannel(app, creator, name, { principals, ...options });
}

/** ID of a channel by its name, as the owner sees it. */
export async function channelId(app: TestApp, name: string): Promise<number> {
  const { streams } = expectSuccess(
    await app.as(app.cast.olivia).get('/streams', { include_all_active: true }),
  );
  const key = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase();
  return streams.find((channel: { name: string }) => key(channel.name) === key(name))?.stream_id;
}

/** The record of a channel, as the owner sees it. */
export async function channelRecord(app: TestApp, id: number) {
  return expectSuccess(await app.as(app.cast.olivia).get(`/streams/${id}`)).stream;
}

/** Subscribes a person to an existing channel on behalf of another; an unknown name would create one. */
export async function addSubscriber(app: TestApp, by: Member, channel: number, who: Member): Promise<void> {
  const { name } = await channelRecord(app, channel);
  expectSuccess(
    await app.as(by).post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [who.id] }),
  );
}

/** IDs of the subscribers, as the owner sees them. */
export async function subscribersOf(app: TestApp, id: number): Promise<number[]> {
  return expectSuccess(await app.as(app.cast.olivia).get(`/streams/${id}/members`)).subscribers;
}

/** Sets columns of a channel, for states that take long to reach. */
export async function changeChannel(
  app: TestApp,
  id: number,
  columns: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  const assignments = Object.keys(columns).map((column) => `${column} = ?`);
  await app.writeRows(async (tx) => {
    await tx.query(`UPDATE channel SET ${assignments.join(', ')} WHERE id = ?`, [
      ...Object.values(columns),
      id,
    ]);
    tx.touch('channels', [id]);
  });
}

/** Creates a named group of people, which the owner manages. @returns its ID */
export async function createGroup(app: TestApp, name: string, memberIds: readonly number[]): Promise<number> {
  return makeGroup(app, app.cast.olivia, name, { members: memberIds });
}

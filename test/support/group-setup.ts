import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import type { SystemGroupName } from '../../src/features/organization-settings/organization-settings';
import type { Parameters } from './api-client';
import type { Member } from './cast';
import { idsOf } from './event-outline';
import type { Answer } from './api-client';
import { expectError, expectSuccess } from './expect-answer';
import type { TestApp } from './test-app';

/** Creates a user group through the interface, empty by default. @returns its ID */
export async function makeGroup(
  app: TestApp,
  creator: Member,
  name: string,
  options: Parameters = {},
): Promise<number> {
  const parameters = { name, description: '', members: [], ...options };
  return expectSuccess(await app.as(creator).post('/user_groups/create', parameters)).group_id;
}

/** The record of a group, deactivated or not; undefined if there is none. */
export async function groupRecord(app: TestApp, id: number) {
  const { user_groups } = expectSuccess(
    await app.as(app.cast.olivia).get('/user_groups', { include_deactivated_groups: true }),
  );
  return (user_groups as { id: number }[]).find((group) => group.id === id) as
    Record<string, unknown> | undefined;
}

/** ID of a system group. */
export function systemGroupId(app: TestApp, name: SystemGroupName): number {
  return app.get(GroupDirectory).systemGroupId(name);
}

/** A group-setting value with individual users. */
export function peopleAlone(...people: readonly Member[]) {
  return { direct_members: idsOf(...people), direct_subgroups: [] };
}

/** Deactivates an unused group. */
export async function deactivateGroup(app: TestApp, id: number): Promise<void> {
  expectSuccess(await app.as(app.cast.olivia).post(`/user_groups/${id}/deactivate`));
}

/** Asserts that the value of a group setting is refused; the message describes valid values. */
export function expectWrongGroup(answer: Answer, msg: string): void {
  expectError(answer, msg, { data: { expected: expect.stringContaining('the ID of a group') } });
}

import type { SystemGroupName } from '../../src/features/organization-settings/organization-settings';
import type { Parameters } from './api-client';
import { expectSuccess } from './expect-answer';
import { systemGroupId } from './group-setup';
import type { TestApp } from './test-app';

/** Changes settings of the organization, as the owner. */
export async function changeOrganization(app: TestApp, parameters: Parameters): Promise<void> {
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', parameters));
}

/** Grants a permission of the organization to a group of roles. */
export function giveInOrganization(app: TestApp, setting: string, group: SystemGroupName): Promise<void> {
  return changeOrganization(app, { [setting]: { new: systemGroupId(app, group) } });
}

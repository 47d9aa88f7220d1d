import { isNamed, objectIn } from './keys';
import type { ChangePart, Json, LevelContext } from './level-change';
import { isObject } from './records';
import { newOrganizationSettings } from './settings';

/** Numbers that stood for roles where today a group is named. */
export type PolicyNumbers = Readonly<Record<string, number>>;

/** The numbers of most policies. */
export const COMMON_POLICY: PolicyNumbers = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
};

const ORGANIZATION = 'PATCH /realm';

/**
 * The organization had a policy, one of a few numbers, where today a group may do something. What no number says is told
 * as administrators.
 */
export function policyBefore(
  setting: string,
  policy: string,
  numbers: PolicyNumbers = COMMON_POLICY,
): [ChangePart, ChangePart] {
  const numberOf = (value: unknown, context: LevelContext) =>
    numbers[groupNameOf(value, context)] ?? numbers['role:administrators'] ?? 1;
  const before: ChangePart = {
    asks: {
      [ORGANIZATION]: (parameters, context) => {
        const name = Object.keys(numbers).find((group) => String(numbers[group]) === parameters.get(policy));
        if (name === undefined) return;
        parameters.delete(policy);
        parameters.set(setting, JSON.stringify({ new: context.systemGroup(name) }));
      },
    },
    state: (state, context) => {
      const value = state[`realm_${setting}`];
      if (value !== undefined) state[`realm_${policy}`] = numberOf(value, context);
    },
    event: (event, context) => {
      const data = objectIn(event, 'data');
      if (!isNamed(event, 'realm/update_dict') || !(setting in data)) return event;
      return organizationUpdate(event, policy, numberOf(data[setting], context));
    },
  };
  // The newest form goes last, since what is older is made of it.
  return [newOrganizationSettings(setting), before];
}

/**
 * The organization had a boolean where today it has a policy of several values. Changing it sets the policy.
 * @param values of the policy for true and for false
 */
export function booleanBefore(
  policy: string,
  setting: string,
  [yes, no]: readonly [string, string],
): ChangePart {
  const ask = (parameters: Map<string, string>) => {
    const value = parameters.get(setting);
    if (value !== 'true' && value !== 'false') return;
    parameters.delete(setting);
    parameters.set(policy, value === 'true' ? yes : no);
  };
  return { asks: { [ORGANIZATION]: ask } };
}

/** The event that told of one setting of the organization, in place of another event. */
export function organizationUpdate(event: Json, property: string, value: unknown): Json {
  return { id: event['id'], type: 'realm', op: 'update', property, value };
}

/** The name of the group that a setting names; empty for several, or for people. */
function groupNameOf(value: unknown, context: LevelContext): string {
  return typeof value === 'number' ? (context.groupName(value) ?? '') : '';
}

/** The number of a group, which was sent alone where today an object has it as `new`. */
export function numberAsNew(route: string, ...names: readonly string[]): ChangePart {
  const ask = (parameters: Map<string, string>) => {
    for (const name of names) {
      const value = parameters.get(name) ?? '';
      if (/^\d+$/.test(value)) parameters.set(name, `{"new": ${value}}`);
    }
  };
  return { asks: { [route]: ask } };
}

/** Group settings held a single ID: the first of several, or `role:nobody`. */
export function asOneGroup(holder: Json, key: string, context: LevelContext): void {
  const value = holder[key];
  if (!isObject(value)) return;
  const [group] = Array.isArray(value['direct_subgroups']) ? (value['direct_subgroups'] as number[]) : [];
  holder[key] = group ?? context.systemGroup('role:nobody');
}

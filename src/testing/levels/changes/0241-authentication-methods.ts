import { isObject } from '../records';
import { objectIn } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change241AuthenticationMethods = levelChange(
  241,
  'Zulip 9.0, feature level 241: `realm_authentication_methods` says of each method whether it is enabled and available; before, it was a boolean.',
  { state: methodsAsFlags },
);

function methodsAsFlags(state: Json): void {
  const methods = objectIn(state, 'realm_authentication_methods');
  for (const [name, method] of Object.entries(methods)) {
    if (isObject(method)) methods[name] = method['enabled'];
  }
}

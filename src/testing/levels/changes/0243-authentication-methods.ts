import { isObject } from '../records';
import { isNamed, objectIn } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change243AuthenticationMethods = levelChange(
  243,
  'Zulip 9.0, feature level 243: `realm_authentication_methods` says of each method whether it is enabled and available; before, it was a boolean.',
  { state: (state) => methodsAsFlags(state, 'realm_authentication_methods'), event: toldAsFlags },
);

function methodsAsFlags(holder: Json, key: string): void {
  const methods = objectIn(holder, key);
  for (const [name, method] of Object.entries(methods)) {
    if (isObject(method)) methods[name] = method['enabled'];
  }
}

function toldAsFlags(event: Json): Json {
  if (isNamed(event, 'realm/update_dict')) methodsAsFlags(objectIn(event, 'data'), 'authentication_methods');
  return event;
}

import { stringifyMembers } from './raw-json';

/**
 * The JSON text of a success of the main interface.
 * @param result the keys of the endpoint, if it has any
 * @param ignored names of the parameters that were sent but are not supported; the key is left out when there are
 *   none (spec, Wire conventions 6)
 */
export function successEnvelope(result: object | undefined, ignored: readonly string[]): string {
  const members = stringifyMembers(result ?? {});
  const own = members === '{}' ? '' : `,${members.slice(1, -1)}`;
  const rest = ignored.length === 0 ? '' : `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}`;
  return `{"result":"success","msg":""${own}${rest}}\n`;
}

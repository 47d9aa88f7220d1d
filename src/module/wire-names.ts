import { defineEvent, type EventDefinition } from '../platform/events/server-event';
import { defineJob, type JobKind } from '../platform/jobs/job';
import { declareName } from '../platform/modules/declared-names';

/**
 * Declares one kind of event: what it is called and which keys it carries.
 * @param type `module_` and the name of the module, such as `module_polls`
 * @throws Error for another name
 */
export function defineModuleEvent<Payload extends object>(
  type: string,
  op?: string,
): EventDefinition<Payload> {
  declareName(type);
  return defineEvent<Payload>(type, op);
}

/**
 * Declares a kind of job.
 * @param name begins with `module_` and the name of the module, such as `module_polls_close`; never changes, because rows
 *   contain it
 * @throws Error for another name
 */
export function defineModuleJob<Data>(name: string): JobKind<Data> {
  declareName(name);
  return defineJob<Data>(name);
}

import { defineEvent, type EventDefinition } from '../platform/events/server-event';
import { defineJob, type JobKind } from '../platform/jobs/job';

const NAME = /^module_[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/** @throws Error for a name that could be that of something of Parley */
export function requireWireName(name: string): void {
  if (!NAME.test(name)) {
    throw new Error(`"${name}" has to be "module_" and the name of the module, and may go on after a "_".`);
  }
}

/**
 * Declares one kind of event: what it is called and which keys it carries.
 * @param type `module_` and the name of the module, such as `module_polls`
 * @throws Error for another name
 */
export function defineModuleEvent<Payload extends object>(
  type: string,
  op?: string,
): EventDefinition<Payload> {
  requireWireName(type);
  return defineEvent<Payload>(type, op);
}

/**
 * Declares a kind of job.
 * @param name begins with `module_` and the name of the module, such as `module_polls_close`; never changes, because rows
 *   contain it
 * @throws Error for another name
 */
export function defineModuleJob<Data>(name: string): JobKind<Data> {
  requireWireName(name);
  return defineJob<Data>(name);
}

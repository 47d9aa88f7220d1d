import { TransactionService } from '../../src/platform/database/transaction.service';
import { Audience } from '../../src/platform/events/audience';
import type { EmitOptions, ServerEvent } from '../../src/platform/events/server-event';
import { TransientEvents } from '../../src/platform/events/transient-events';
import type { Member } from './cast';
import type { TestApp } from './test-app';

/** Writes an event as a feature does. */
export function emit(
  app: TestApp,
  event: ServerEvent,
  audience: readonly Member[],
  options?: EmitOptions,
): Promise<void> {
  return app.get(TransactionService).run(async (tx) => tx.emit(event, audienceOf(audience), options));
}

/** Publishes a transient event as a feature does. */
export function publish(
  app: TestApp,
  event: ServerEvent,
  audience: readonly Member[],
  options?: EmitOptions,
): void {
  app.get(TransientEvents).publish(event, audienceOf(audience), options);
}

function audienceOf(people: readonly Member[]): Audience {
  return Audience.of(people.map(({ id }) => id));
}

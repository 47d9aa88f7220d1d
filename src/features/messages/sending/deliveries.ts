import { addTo } from '../../../platform/collections';
import { Audience } from '../../../platform/events/audience';

/** One event of a message: who gets it, with which flags, and who of them with other ones. */
export interface Delivery {
  readonly audience: Audience;
  readonly flags: number;
  readonly exceptions: ReadonlyMap<number, number>;
}

/** Up to this many people with flags of their own travel in one event; more get an event of theirs. */
const MAX_EXCEPTIONS = 100;

/**
 * Splits the recipients of a message by their flags, so that the size of an event depends neither on the
 * number of recipients nor on the size of a mentioned group.
 * @param flags bits that hold for everybody without an exception
 * @param exceptions all bits of those whose flags differ; people outside the audience are left out
 */
export function planDeliveries(
  audience: Audience,
  flags: number,
  exceptions: ReadonlyMap<number, number>,
): Delivery[] {
  const differing = [...exceptions].filter(([id, own]) => own !== flags && audience.has(id));
  if (differing.length <= MAX_EXCEPTIONS) return [{ audience, flags, exceptions: new Map(differing) }];

  const byFlags = new Map<number, number[]>();
  for (const [id, own] of differing) addTo(byFlags, own, id);
  const crowds = [...byFlags].filter(([, ids]) => ids.length > MAX_EXCEPTIONS);
  const crowdFlags = new Set(crowds.map(([own]) => own));
  const rest = {
    audience: audience.without(crowds.flatMap(([, ids]) => ids)),
    flags,
    exceptions: new Map(differing.filter(([, own]) => !crowdFlags.has(own))),
  };
  const deliveries = crowds.map(([own, ids]) => ({
    audience: Audience.of(ids),
    flags: own,
    exceptions: new Map<number, number>(),
  }));
  return rest.audience.size > 0 ? [rest, ...deliveries] : deliveries;
}

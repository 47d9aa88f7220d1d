import type { Member } from './cast';
import type { CapturedEvent } from './event-capture';

/** Type, op and, where a single property changed, its name. */
function kindOf({ event }: CapturedEvent): string {
  return [event.type, event.op, event.property].filter((part) => part !== undefined).join('/');
}

/**
 * Kind and audience of each event in order, with the client capability it depends on: `+name` where clients
 * must have it, `-name` where they must not.
 */
export function outline(events: readonly CapturedEvent[]): [string, readonly number[], ...string[]][] {
  return events.map((captured) => {
    const { requires, unless } = captured.options;
    const conditions = [...(requires ? [`+${requires}`] : []), ...(unless ? [`-${unless}`] : [])];
    return [kindOf(captured), captured.audience, ...conditions];
  });
}

/** IDs of people, ascending, as an audience has them. */
export function idsOf(...people: readonly Member[]): number[] {
  return people.map(({ id }) => id).sort((a, b) => a - b);
}

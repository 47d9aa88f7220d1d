import type { Member } from './cast';
import type { CapturedTransientEvent } from './event-capture';

/** Type, op and, if a single property changed, its name. */
function kindOf({ event }: CapturedTransientEvent): string {
  return [event.type, event.op, event.property].filter((part) => part !== undefined).join('/');
}

/**
 * Kind and audience of each event in order, with the client capability that it depends on: `+name` if required, `-name`
 * if excluded.
 */
export function outline(
  events: readonly CapturedTransientEvent[],
): [string, readonly number[], ...string[]][] {
  return events.map((captured) => {
    const { requires, unless } = captured.options;
    const conditions = [
      ...(requires ? [`+${requires}`] : []),
      ...[unless ?? []].flat().map((name) => `-${name}`),
    ];
    return [kindOf(captured), captured.audience, ...conditions];
  });
}

/** IDs of people, ascending, as an audience has them. */
export function idsOf(...people: readonly Member[]): number[] {
  return people.map(({ id }) => id).sort((a, b) => a - b);
}

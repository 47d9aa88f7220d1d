import type { Answer } from '../api-client';
import type { Actor } from './actors';
import type { Case, CaseMaker, World } from './case';
import { outcomeOf, type Expectation, type Target } from './outcome';

/** Combines several groups of cases. */
export function all(...makers: readonly CaseMaker[]): CaseMaker {
  return async (world) => {
    const cases: Case[] = [];
    for (const make of makers) cases.push(...(await make(world)));
    return cases;
  };
}

/** Tries calls without a target, by description. */
export function plain(
  calls: Readonly<Record<string, (actor: Actor, world: World) => Promise<Answer>>>,
): CaseMaker {
  return (world) =>
    Object.entries(calls).map(([about, call]): Case => ({
      about,
      try: (actor) => outcomeOf(() => call(actor, world), { id: -1 }, null),
    }));
}

/** An ID that does not exist. */
const NO_ID = 1_999_999_999;

/** Creates a target for the actor. */
export type MakeTarget<T extends Target = Target> = (actor: Actor, world: World) => Promise<T> | T;

/**
 * Tries a call on several targets, by description.
 * @param expectation with a nonexistent target, if calls identify targets by something other than their ID
 */
export function on<T extends Target>(
  targets: Readonly<Record<string, MakeTarget<T>>>,
  call: (actor: Actor, target: T, world: World) => Promise<Answer>,
  expectation: Expectation<T> & { readonly nothing?: T } = {},
): CaseMaker {
  return (world) =>
    Object.entries(targets).map(([about, make]): Case => ({
      about,
      async try(actor) {
        const target = await make(actor, world);
        const nothing = expectation.nothing ?? { ...target, id: NO_ID };
        return outcomeOf((each: T) => call(actor, each, world), target, nothing, expectation);
      },
    }));
}

import type { Answer } from '../api-client';
import type { Actor } from './actors';
import type { Case, CaseMaker, World } from './case';
import { outcomeOf, type Expectation, type Target } from './outcome';

/** Several ways to try an endpoint. */
export function all(...makers: readonly CaseMaker[]): CaseMaker {
  return async (world) => {
    const cases: Case[] = [];
    for (const make of makers) cases.push(...(await make(world)));
    return cases;
  };
}

/** Tries calls that name nothing, by what they are about. */
export function plain(
  calls: Readonly<Record<string, (actor: Actor, world: World) => Promise<Answer>>>,
): CaseMaker {
  return (world) =>
    Object.entries(calls).map(([about, call]): Case => ({
      about,
      try: (actor) => outcomeOf(() => call(actor, world), { id: -1 }, null),
    }));
}

/** The number of nothing. */
const NO_ID = 1_999_999_999;

/** Makes something for somebody to try a call on. */
export type MakeTarget<T extends Target = Target> = (actor: Actor, world: World) => Promise<T> | T;

/**
 * Tries a call on several things, by what they are.
 * @param expectation with a target that does not exist, where calls name targets by something else than their number
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

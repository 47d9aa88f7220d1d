import type { Answer } from '../api-client';

/** The outcome of a call; {@link formatTable} explains the words. */
export type Outcome = 'yes' | 'no' | 'hidden';

/** An object that calls refer to. */
export interface Target {
  readonly id: number;
  readonly name?: string;
}

/** How to determine the outcome of a call. */
export interface Expectation<T> {
  /** Whether a success had the requested effect; if omitted, every success did. */
  isDone?(answer: Answer, target: T): boolean;
  /** Whether a success without the effect reveals nothing about the target. */
  readonly isList?: true;
  /** Whether answers may contain the target's name, because the caller knows it, or may. */
  readonly mayTellName?: boolean;
}

/** An answer without the names of targets. */
function anonymous({ status, body }: Answer, targets: readonly Target[]): string {
  let text = JSON.stringify({ status, body: Buffer.isBuffer(body) ? body.toString('base64') : body });
  for (const { id, name } of targets) {
    text = text.replace(new RegExp(`\\b${id}\\b`, 'g'), '?');
    if (name !== undefined) text = text.replaceAll(name, '?');
  }
  return text;
}

/**
 * Calls and determines the outcome. A refusal must not reveal the name of a target that was given by ID.
 * @param nothing a target that does not exist; null if the call would create it
 */
export async function outcomeOf<T extends Target>(
  call: (target: T) => Promise<Answer>,
  target: T,
  nothing: T | null,
  { isDone = () => true, isList, mayTellName }: Expectation<T> = {},
): Promise<Outcome> {
  const answer = await call(target);
  if (answer.status === 500) throw new Error('The server failed.');
  if (answer.status < 400 && isDone(answer, target)) return 'yes';
  if (!mayTellName && target.name !== undefined && JSON.stringify(answer.body).includes(target.name)) {
    throw new Error(`A refusal tells the name of its target: ${JSON.stringify(answer.body).slice(0, 300)}`);
  }
  if (answer.status < 400 && isList) return 'hidden';
  if (!nothing) return 'no';
  const both = [target, nothing];
  return anonymous(answer, both) === anonymous(await call(nothing), both) ? 'hidden' : 'no';
}

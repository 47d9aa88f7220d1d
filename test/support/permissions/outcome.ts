import type { Answer } from '../api-client';

/** What comes of a call; {@link formatTable} explains the words. */
export type Outcome = 'yes' | 'no' | 'hidden';

/** Something that calls name. */
export interface Target {
  readonly id: number;
  readonly name?: string;
}

/** How the outcome of a call is known. */
export interface Expectation<T> {
  /** Whether a success did what was asked; without it, every success did. */
  isDone?(answer: Answer, target: T): boolean;
  /** A success that did not do it says nothing of the target. */
  readonly isList?: true;
  /** Whether answers may tell the name of the target: whoever calls knows it, or may. */
  readonly mayTellName?: boolean;
}

/** An answer without what names targets. */
function anonymous({ status, body }: Answer, targets: readonly Target[]): string {
  let text = JSON.stringify({ status, body: Buffer.isBuffer(body) ? body.toString('base64') : body });
  for (const { id, name } of targets) {
    text = text.replace(new RegExp(`\\b${id}\\b`, 'g'), '?');
    if (name !== undefined) text = text.replaceAll(name, '?');
  }
  return text;
}

/**
 * Makes a call and says what came of it. A refusal must not tell the name of a target that was named by its number.
 * @param nothing a target that does not exist; null where the call would make it
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

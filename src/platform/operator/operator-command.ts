import { defineHook } from '../hooks/hook';

/** How far a command that takes its time has come. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** What is being done, in a word or two. */
  readonly what: string;
}

/** What a command gets beside its input. */
export interface OperatorContext {
  /** Address under which clients reach the server; the configured one if no server runs. */
  readonly site: string;
  /** Aborted when the caller no longer waits, or the server stops. */
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

/** A command that the operator of the server can run from the command line. */
export interface OperatorCommand<Input extends object = object> {
  /** Such as `user add`. */
  readonly name: string;
  readonly input: new () => Input;

  run(input: Input, context: OperatorContext): Promise<object>;
  /** What it is done to, for the log; null for nothing in particular. */
  target(input: Input): string | null;
}

/** Asks the features for their commands; listeners are made by {@link command}. */
export const operatorCommand = defineHook<[], OperatorCommand>('operatorCommand');

/**
 * A listener to {@link operatorCommand} that offers one command.
 * @param name as it is typed
 * @param input a class with a validated field for each key of the input
 * @param run returns a result that JSON can express
 * @param target what it is done to, for the log, where the input says so
 */
export function command<Input extends object>(
  name: string,
  input: new () => Input,
  run: (input: Input, context: OperatorContext) => Promise<object>,
  target: (input: Input) => string | null = () => null,
): () => OperatorCommand<Input> {
  return () => ({ name, input, run, target });
}

/** Input of commands that take none. */
export class NoInput {}

/** A command cannot do what was asked; the message says why, and what to do. */
export class CommandRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

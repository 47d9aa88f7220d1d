import { defineHook } from '../hooks/hook';

/** How far a command that takes its time has come. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** What is being done, in a word or two. */
  readonly what: string;
}

/** What a command is given beside its input. */
export interface OperatorContext {
  /** Address under which clients reach the server; the configured one where none runs. */
  readonly site: string;
  /** Set when whoever asked no longer waits, or the server stops. */
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

/** Something that the operator of the server may have done, by the command line. */
export interface OperatorCommand<Input extends object = object> {
  /** Such as `user add`. */
  readonly name: string;
  readonly input: new () => Input;

  run(input: Input, context: OperatorContext): Promise<object>;
}

/** Asks the features for their commands; listeners are made by {@link command}. */
export const operatorCommand = defineHook<[], OperatorCommand>('operatorCommand');

/**
 * A listener to {@link operatorCommand} that offers one command.
 * @param name as it is typed
 * @param input a class with a validated field for each key of the input
 * @param run answers as JSON has it
 */
export function command<Input extends object>(
  name: string,
  input: new () => Input,
  run: (input: Input, context: OperatorContext) => Promise<object>,
): () => OperatorCommand<Input> {
  return () => ({ name, input, run });
}

/** Input of commands that need none. */
export class NoInput {}

/** A command cannot do what it was asked for; the message says why, and what to do. */
export class CommandRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

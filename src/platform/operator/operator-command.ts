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
  /** As it is typed, such as `user add`. */
  readonly name: string;
  /** A class with a validated field for each key of the input. */
  readonly input: new () => Input;

  /** @returns what is answered, as JSON has it */
  run(input: Input, context: OperatorContext): Promise<object>;
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
